import { type Static, Type } from 'typebox';
import { PATTERN_MESSAGE } from '../../http/openapi-components.ts';
import { patchBody } from '../../http/patch-schema.ts';
import { named, oneOf, optional } from '../../http/schema-words.ts';
import { MOST_GUESTS } from '../availability/query.ts';

/** What a partner sends to make or change a booking. A field that is null counts as left out. */

const MOST_PENCE = 1_000_000_000;

export const words = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description });
/** A name of nothing but spaces is none. */
const name = (description: string) =>
  Type.String({ maxLength: 100, pattern: '\\S', [PATTERN_MESSAGE]: 'must not be blank', description });
/** Read by hand, because each way in which it can be wrong has a code of its own. */
const moment = (description: string) => optional(Type.String({ maxLength: 60, description }));
const quantity = Type.Integer({ minimum: 1, maximum: MOST_GUESTS });

const closed = { additionalProperties: false };

const PackageChoice = Type.Object(
  {
    id: optional(Type.Integer()),
    slug: optional(words('Instead of `id`', 100)),
    quantity,
  },
  { ...closed, ...named('PackageChoice', 'A package of the product, by `id` or `slug`') },
);

const OptionChoice = Type.Object(
  { id: words('Id of the option', 100), value: words('One of its values', 200) },
  { ...closed, ...named('OptionChoice', 'A choice that an item leaves to the guest') },
);

const ItemChoice = Type.Object(
  {
    id: Type.Integer(),
    quantity,
    options: optional(Type.Array(OptionChoice, { maxItems: 20 })),
  },
  { ...closed, ...named('ItemChoice', 'An item of the menu') },
);

const MenuChoice = Type.Object(
  {
    id: optional(Type.Integer()),
    slug: optional(words('Instead of `id`', 100)),
    items: Type.Array(ItemChoice, { maxItems: 200 }),
  },
  {
    ...closed,
    ...named('MenuChoice', 'A menu of the product, by `id` or `slug`, and what is ordered of it'),
  },
);

export const PreorderChoice = Type.Object(
  {
    packages: optional(Type.Array(PackageChoice, { maxItems: 50 })),
    menus: optional(Type.Array(MenuChoice, { maxItems: 20 })),
  },
  { ...closed, ...named('PreorderChoice', 'What is ordered ahead') },
);
export type PreorderChoice = Static<typeof PreorderChoice>;

const fields = {
  type: oneOf(['book', 'request'] as const, {
    description: 'What live availability said of the start; `request` is always possible',
  }),
  partySize: Type.Integer({ minimum: 1, maximum: MOST_GUESTS, description: 'Adults' }),
  children: optional(
    Type.Integer({ minimum: 0, maximum: MOST_GUESTS, description: 'Children, besides the adults' }),
  ),
  dateTime: moment('The start, RFC 3339 with offset or `Z`; or send `date` and `time`'),
  date: moment('Trading day `YYYY-MM-DD`'),
  time: moment('Local time `HH:MM`'),
  duration: optional(
    Type.Integer({ minimum: 1, maximum: 1440, description: 'Minutes; left to the venue when absent' }),
  ),
  spaceId: optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'A space of the product' }),
  ),
  firstName: name('First name of the guest'),
  lastName: name('Last name of the guest'),
  email: optional(Type.String({ format: 'email', maxLength: 254 })),
  phone: optional(words('Telephone', 50)),
  company: optional(words('For channels that need one, a name of their list', 150)),
  partnerBookingId: optional(
    words('Your own id for it; it stays used, also when the booking is cancelled', 100),
  ),
  comments: optional(words('What the guest wishes; shown as `notes`', 2000)),
  admin_notes: optional(words('For the operator alone', 2000)),
  labels: optional(Type.Array(words('Label', 50), { maxItems: 20 })),
  depositAmount: optional(
    Type.Number({ minimum: 0, maximum: MOST_PENCE, description: 'What you have taken, in pence' }),
  ),
  preorders: optional(PreorderChoice),
};

const example = {
  type: 'book',
  partySize: 2,
  dateTime: '2026-12-05T19:30:00+00:00',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  comments: 'A quiet table, please.',
  partnerBookingId: 'order-4711',
};

export const BookingBody = Type.Object(fields, {
  ...closed,
  ...named('BookingRequest', 'A booking to be made'),
  examples: [example],
});
export type BookingBody = Static<typeof BookingBody>;

export const AmendmentBody = Type.Object(
  { compositeId: Type.String({ description: 'A product of the same venue' }), ...fields },
  {
    ...closed,
    ...named('BookingAmendment', 'The booking as it is to be; what is left out is cleared'),
    examples: [{ compositeId: '1|house|soho-grill|dinner', ...example, partySize: 3 }],
  },
);
export type AmendmentBody = Static<typeof AmendmentBody>;

export const PatchBody = patchBody([{ op: 'replace', path: '/partySize', value: 4 }]);
