import { type Static, Type } from 'typebox';
import { integerId } from '../../http/manage-paths.ts';
import { named, nullable, oneOf, optional } from '../../http/schema-words.ts';
import { PRICE_UNITS } from './document.ts';
import { menuBodyExample, packageBodyExample } from './manage-examples.ts';
import { closed, label, price, prose, slug, whole } from './manage-words.ts';

const packageFields = {
  name: label('Name'),
  slug: optional(slug('Names it across venues; rules refer to it')),
  description: optional(prose('What it consists of')),
  pricePence: price('Price'),
  pricePer: oneOf(PRICE_UNITS),
};

export const PackageBody = Type.Object(packageFields, { ...closed, examples: [packageBodyExample] });
export type PackageBody = Static<typeof PackageBody>;

export const ManagedPackage = Type.Object(
  { id: integerId('Id of the package', 101), ...whole(packageFields) },
  named('ManagedPackage', 'A package, as its operator keeps it'),
);
export const ManagedPackages = Type.Object({ data: Type.Array(ManagedPackage) });
export type ManagedPackage = Static<typeof ManagedPackage>;

const OptionBody = Type.Object(
  {
    id: label('Its name in data', 50),
    name: label('Its name for people', 100),
    required: Type.Boolean({ description: 'The guest must choose' }),
    values: Type.Array(
      Type.Object({ value: label('Value', 100), pricePence: price('Added to the price') }, closed),
      { minItems: 1, maxItems: 100 },
    ),
  },
  { ...closed, description: 'A choice that an item leaves to the guest' },
);

const words = (description: string) => Type.Array(label('Word', 50), { maxItems: 50, description });

const itemFields = {
  name: label('Name'),
  description: optional(prose('What it is')),
  pricePence: price('Price'),
  dietTypes: words('Whom it suits'),
  allergens: words('What it contains'),
  options: Type.Optional(Type.Array(OptionBody, { maxItems: 50 })),
  type: label('Such as `starter`', 50),
  subType: optional(label('Such as `soup`', 50)),
};

const ItemBody = Type.Object(
  {
    id: optional(integerId('Of an item that is on the menu already, which stays the same one', 301)),
    ...itemFields,
  },
  closed,
);
export type ItemBody = Static<typeof ItemBody>;

const menuFields = {
  name: label('Name'),
  slug: optional(slug('Names it across venues; rules refer to it')),
  description: optional(prose('What it is')),
};

export const MenuBody = Type.Object(
  {
    ...menuFields,
    items: Type.Array(ItemBody, { maxItems: 500, description: 'In the order in which they are shown' }),
  },
  { ...closed, examples: [menuBodyExample] },
);
export type MenuBody = Static<typeof MenuBody>;

export const ManagedMenu = Type.Object(
  {
    id: integerId('Id of the menu', 201),
    ...whole(menuFields),
    items: Type.Array(
      Type.Object({
        id: integerId('Id of the item', 301),
        ...whole(itemFields),
        subType: nullable(Type.String()),
      }),
    ),
  },
  named('ManagedMenu', 'A menu, as its operator keeps it'),
);
export const ManagedMenus = Type.Object({ data: Type.Array(ManagedMenu) });
export type ManagedMenu = Static<typeof ManagedMenu>;
