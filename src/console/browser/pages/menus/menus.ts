import { html } from 'htm/preact';
import type { ManagedProduct } from '../../../../features/venues/manage/product-schema.ts';
import type { ManagedMenu, ManagedPackage } from '../../../../features/venues/preorders/schema.ts';
import { api, path } from '../../app/api.ts';
import { money } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { address, setQuery } from '../../app/router.ts';
import { may, operatorOf } from '../../app/session.ts';
import { Icon } from '../../components/icon.ts';
import { Loading } from '../../components/notice.ts';
import { usersOf } from './drafts.ts';
import { MenuEditor } from './menu-editor.ts';
import { PackageForm } from './package-form.ts';
import { PreorderList } from './preorder-list.ts';

type List<T> = { data: T[] };

export interface Preorders {
  menus: ManagedMenu[];
  packages: ManagedPackage[];
  products: ManagedProduct[];
}

async function readAll(venueId: string): Promise<Preorders> {
  const [menus, packages, products] = await Promise.all([
    api.get<List<ManagedMenu>>(path`/manage/venues/${venueId}/menus`),
    api.get<List<ManagedPackage>>(path`/manage/venues/${venueId}/packages`),
    api.get<List<ManagedProduct>>(path`/manage/venues/${venueId}/products`),
  ]);
  return { menus: menus.data, packages: packages.data, products: products.data };
}

/** What guests can order ahead with a booking. */
export default function Menus({ params }: PageProps) {
  const venueId = params.venueId ?? '';
  const loaded = useLoad(() => readAll(venueId), [venueId]);
  const mayEdit = may(operatorOf(venueId), 'manager');
  const { query } = address.value;
  const menu = query.get('menu');
  const close = () => setQuery({ menu: null, package: null }, { replace: false });
  const done = async () => {
    close();
    await loaded.reload();
  };
  const addButton = (kind: 'menu' | 'package', label: string) =>
    mayEdit &&
    html`
      <button type="button" class="button" onClick=${() => setQuery({ [kind]: 'new' }, { replace: false })}>
        <${Icon} name="plus" /> ${label}
      </button>
    `;

  return html`
    <div class="page narrow">
      <${Loading} loaded=${loaded}>
        ${({ menus, packages, products }: Preorders) => {
          if (menu !== null) {
            const users = usersOf(products, 'menuIds', Number(menu));
            return html`
              <${MenuEditor} key=${menu} venueId=${venueId} menuId=${menu} users=${users} mayEdit=${mayEdit} onClose=${close} onDone=${done} />
            `;
          }
          const packageId = query.get('package');
          return html`
            <header class="page-head">
              <h1>${t.pages.menus}</h1>
              <p>${t.menus.about}</p>
            </header>
            <${PreorderList}
              title=${t.menus.menus}
              text=${t.menus.menusText}
              add=${addButton('menu', t.menus.addMenu)}
              entries=${menus.map(({ id, name, description, items }) => ({
                id,
                name,
                description,
                href: path`/console/venues/${venueId}/menus?menu=${id}`,
                detail: t.menus.items(items.length),
                users: usersOf(products, 'menuIds', id),
              }))}
            />
            <${PreorderList}
              title=${t.menus.packages}
              text=${t.menus.packagesText}
              add=${addButton('package', t.menus.addPackage)}
              entries=${packages.map(({ id, name, description, pricePence, pricePer }) => ({
                id,
                name,
                description,
                href: path`/console/venues/${venueId}/menus?package=${id}`,
                detail: t.menus.pricePer[pricePer](money(pricePence)),
                users: usersOf(products, 'packageIds', id),
              }))}
            />
            ${
              packageId !== null &&
              html`
                <${PackageForm}
                  key=${packageId}
                  venueId=${venueId}
                  packageId=${packageId}
                  users=${usersOf(products, 'packageIds', Number(packageId))}
                  mayEdit=${mayEdit}
                  onClose=${close}
                  onDone=${done}
                />
              `
            }
          `;
        }}
      <//>
    </div>
  `;
}
