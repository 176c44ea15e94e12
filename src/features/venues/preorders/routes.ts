import { Type } from 'typebox';
import { integerId, manageRoutes, venueId, venuePath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import { menuExample, packageExample } from '../manage/examples.ts';
import {
  ManagedMenu,
  ManagedMenus,
  ManagedPackage,
  ManagedPackages,
  MenuBody,
  PackageBody,
} from './schema.ts';
import type { PreorderKeeping } from './service.ts';

const packagePath = Type.Object({ venueId, packageId: integerId('Id of the package', 101) });
const menuPath = Type.Object({ venueId, menuId: integerId('Id of the menu', 201) });

const MISSING = ['VENUE-N-001', 'HTTP-N-404'] as const;

export function managePackageRoutes(app: App, packages: PreorderKeeping<PackageBody, ManagedPackage>): void {
  const routes = manageRoutes(app, 'Manage: venues');
  const example = packageExample;

  routes.list('/manage/venues/:venueId/packages', {
    access: 'manage:staff',
    operationId: 'listManagedPackages',
    summary: 'List the packages of a venue',
    description: 'What guests can order ahead as a whole; products name those that go with them.',
    params: venuePath,
    result: ManagedPackages,
    example: { data: [example] },
    problems: ['VENUE-N-001'],
    run: async ({ params }) => ({ data: await packages.list(params.venueId) }),
  });

  routes.create('/manage/venues/:venueId/packages', {
    access: 'manage:manager',
    operationId: 'createPackage',
    summary: 'Add a package',
    description: 'It is offered with the products that name it.',
    params: venuePath,
    body: PackageBody,
    result: ManagedPackage,
    example,
    problems: ['VENUE-N-001'],
    run: ({ params, body, ...request }) => packages.create(request, params.venueId, body),
  });

  routes.get('/manage/venues/:venueId/packages/:packageId', {
    access: 'manage:staff',
    operationId: 'getManagedPackage',
    summary: 'Read a package',
    description: 'As its operator keeps it.',
    params: packagePath,
    result: ManagedPackage,
    example,
    problems: MISSING,
    run: ({ params }) => packages.get(params.venueId, params.packageId),
  });

  routes.put('/manage/venues/:venueId/packages/:packageId', {
    access: 'manage:manager',
    operationId: 'changePackage',
    summary: 'Change a package',
    description: 'Replaces all of it. What was ordered before keeps its name and price.',
    params: packagePath,
    body: PackageBody,
    result: ManagedPackage,
    example,
    problems: MISSING,
    run: ({ params, body, ...request }) => packages.change(request, params.venueId, params.packageId, body),
  });

  routes.remove('/manage/venues/:venueId/packages/:packageId', {
    access: 'manage:manager',
    operationId: 'removePackage',
    summary: 'Remove a package',
    description:
      'Also from the products that name it, unless one of them requires a package and has no other.',
    params: packagePath,
    problems: MISSING,
    run: ({ params, ...request }) => packages.remove(request, params.venueId, params.packageId),
  });
}

export function manageMenuRoutes(app: App, menus: PreorderKeeping<MenuBody, ManagedMenu>): void {
  const routes = manageRoutes(app, 'Manage: venues');
  const example = menuExample;

  routes.list('/manage/venues/:venueId/menus', {
    access: 'manage:staff',
    operationId: 'listManagedMenus',
    summary: 'List the menus of a venue',
    description: 'With their items; products name the menus that can be ordered from with them.',
    params: venuePath,
    result: ManagedMenus,
    example: { data: [example] },
    problems: ['VENUE-N-001'],
    run: async ({ params }) => ({ data: await menus.list(params.venueId) }),
  });

  routes.create('/manage/venues/:venueId/menus', {
    access: 'manage:manager',
    operationId: 'createMenu',
    summary: 'Add a menu',
    description: 'With its items, which are given their ids.',
    params: venuePath,
    body: MenuBody,
    result: ManagedMenu,
    example,
    problems: ['VENUE-N-001'],
    run: ({ params, body, ...request }) => menus.create(request, params.venueId, body),
  });

  routes.get('/manage/venues/:venueId/menus/:menuId', {
    access: 'manage:staff',
    operationId: 'getManagedMenu',
    summary: 'Read a menu',
    description: 'With its items, in the order in which they are shown.',
    params: menuPath,
    result: ManagedMenu,
    example,
    problems: MISSING,
    run: ({ params }) => menus.get(params.venueId, params.menuId),
  });

  routes.put('/manage/venues/:venueId/menus/:menuId', {
    access: 'manage:manager',
    operationId: 'changeMenu',
    summary: 'Change a menu',
    description:
      'Replaces all of it. Items that are sent with their id stay the same ones, those without are new, those that are not sent are gone. What was ordered before keeps its name and price.',
    params: menuPath,
    body: MenuBody,
    result: ManagedMenu,
    example,
    problems: MISSING,
    run: ({ params, body, ...request }) => menus.change(request, params.venueId, params.menuId, body),
  });

  routes.remove('/manage/venues/:venueId/menus/:menuId', {
    access: 'manage:manager',
    operationId: 'removeMenu',
    summary: 'Remove a menu',
    description: 'Also from the products that name it, unless one of them requires a menu and has no other.',
    params: menuPath,
    problems: MISSING,
    run: ({ params, ...request }) => menus.remove(request, params.venueId, params.menuId),
  });
}
