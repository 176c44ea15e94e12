/** Menus and packages while they are edited. */
import type {
  ManagedMenu,
  ManagedPackage,
  MenuBody,
  PackageBody,
} from '../../../../features/venues/preorders/schema.ts';
import { dataName } from '../../app/data-name.ts';

export type MenuDraft = MenuBody;
export type ItemDraft = MenuBody['items'][number];
export type OptionDraft = NonNullable<ItemDraft['options']>[number];
export type PackageDraft = PackageBody;

export const newMenu = (): MenuDraft => ({ name: '', slug: null, description: null, items: [] });

export const newPackage = (): PackageDraft => ({
  name: '',
  slug: null,
  description: null,
  pricePence: null as unknown as number,
  pricePer: 'guest',
});

/** Of the course of the one before: menus are written course by course. */
export const newItem = (before?: ItemDraft): ItemDraft => ({
  name: '',
  description: null,
  pricePence: 0,
  dietTypes: [],
  allergens: [],
  options: [],
  type: before?.type ?? 'starter',
  subType: null,
});

export const newOption = (): OptionDraft => ({
  id: '',
  name: '',
  required: true,
  values: [{ value: '', pricePence: 0 }],
});

export const draftOfMenu = ({ id: _, ...menu }: ManagedMenu): MenuDraft => menu;
export const draftOfPackage = ({ id: _, ...draft }: ManagedPackage): PackageDraft => draft;

/** What is sent: options are named in data after what people call them, unless they have a name there already. */
export function menuBody({ items, ...menu }: MenuDraft): MenuBody {
  return {
    ...menu,
    items: items.map((item) => ({ ...item, options: (item.options ?? []).map(named) })),
  };
}

const named = (option: OptionDraft): OptionDraft =>
  option.id === '' ? { ...option, id: dataName(option.name) } : option;

export interface Using {
  key: string;
  name: string;
}

interface Product {
  key: string;
  name: string;
  menuIds: readonly number[];
  packageIds: readonly number[];
}

/** The products that a menu or package can be ordered with. */
export const usersOf = (products: readonly Product[], kind: 'menuIds' | 'packageIds', id: number): Using[] =>
  products.filter((product) => product[kind].includes(id)).map(({ key, name }) => ({ key, name }));
