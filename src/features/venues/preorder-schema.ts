import { type Static, Type } from 'typebox';
import { named, nullable, oneOf, pence, text } from '../../http/schema-words.ts';
import { PRICE_UNITS } from './document.ts';

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
