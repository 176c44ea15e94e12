import { type Static, Type } from 'typebox';
import { integerId } from '../../../http/manage-route.ts';
import { named, nullable, oneOf, optional, pence, text } from '../../../http/validation/schema-helpers.ts';
import { menuBodyExample, packageBodyExample } from '../manage/examples.ts';
import { closed, label, price, prose, slug, whole } from '../manage/schema-helpers.ts';
import { PRICE_UNITS } from '../transfer/document.ts';

const Package = Type.Object(
  {
    id: Type.Integer(),
    slug: nullable(text('Names the package across venues; rules refer to it')),
    name: Type.String(),
    description: nullable(Type.String()),
    price: pence('Price'),
    currency: Type.String(),
    pricePer: oneOf(PRICE_UNITS),
  },
  named('Package', 'A package that guests can order ahead'),
);

const MenuOptionValue = Type.Object(
  { value: Type.String(), price: pence('Added to the price of the item') },
  named('MenuOptionValue', 'One of the values to choose from'),
);

const MenuOption = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    required: Type.Boolean(),
    values: Type.Array(MenuOptionValue),
  },
  named('MenuOption', 'A choice that an item leaves to the guest'),
);

const MenuItem = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    price: pence('Price'),
    description: nullable(Type.String()),
    diet_types: Type.Array(Type.String()),
    allergens: Type.Array(Type.String()),
    configurable_options: Type.Array(MenuOption),
    type: Type.String(),
    subType: nullable(Type.String()),
    displayOrder: Type.Integer(),
  },
  named('MenuItem', 'A dish or drink of a menu'),
);

const Menu = Type.Object(
  {
    id: Type.Integer(),
    slug: nullable(text('Names the menu across venues; rules refer to it')),
    name: Type.String(),
    description: nullable(Type.String()),
    items: Type.Array(MenuItem),
  },
  named('Menu', 'A menu that guests can order from ahead'),
);

export const Preorders = Type.Object(
  { packages: Type.Array(Package), menus: Type.Array(Menu) },
  named('Preorders', 'What guests can order ahead'),
);

export type Preorders = Static<typeof Preorders>;

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
