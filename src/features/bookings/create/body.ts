import { type Static, Type } from 'typebox';
import {
  CLOCK_TIME,
  DATE,
  DATE_TIME,
  named,
  nameText,
  nullable,
  oneOf,
  optional,
  PATTERN_MESSAGE,
  patchBody,
} from '../../../http/validation/schema-helpers.ts';
import { invalid } from '../../../kernel/problem.ts';
import { MOST_GUESTS } from '../../availability/service.ts';
import { confirmationToken } from '../../mandates/service.ts';

/** What a partner sends to make or change a booking. A field that is null counts as left out. */

const MOST_PENCE = 1_000_000_000;

export const words = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description });
/**
 * However people write a number: 5 to 15 digits, which is the most that a number of the world has, with what stands
 * between them, and perhaps an extension.
 */
const PHONE_PATTERN = [
  '^[\\s(]*\\+?[\\s(]*[0-9](?:[\\s()./‐-―-]*[0-9]){4,14}[\\s()]*',
  '(?:[\\s,;]*(?:[eE][xX][tT](?:[eE][nN][sS][iI][oO][nN])?|[xX]|#)[\\s.:=]*[0-9]{1,7})?\\s*$',
].join('');
const PHONE_MESSAGE = 'must be a telephone number such as +44 20 7946 0018';
const isPhone = new RegExp(PHONE_PATTERN, 'u');
const PHONE_LENGTH = 50;

export const phoneText = Type.String({
  maxLength: PHONE_LENGTH,
  pattern: PHONE_PATTERN,
  [PATTERN_MESSAGE]: PHONE_MESSAGE,
  description:
    'Telephone: 5 to 15 digits, with a leading `+`, separators and an extension as people write them',
});

/** What was stored before numbers were checked stays as it is until it is changed. */
export function assertPhone(phone: string | null | undefined, stored: string | null | undefined): void {
  if (phone != null && phone !== stored && !isPhone.test(phone)) throw invalid('phone', PHONE_MESSAGE);
}

/** Read by hand, because each way in which it can be wrong has a code of its own. */
const moment = (description: string, options: object) =>
  optional(Type.String({ maxLength: 60, description, ...options }));
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
  dateTime: moment('The start, RFC 3339 with offset or `Z`; or send `date` and `time`', DATE_TIME),
  date: moment('Trading day `YYYY-MM-DD`', DATE),
  time: moment('Local time `HH:MM`', CLOCK_TIME),
  duration: optional(
    Type.Integer({ minimum: 1, maximum: 1440, description: 'Minutes; left to the venue when absent' }),
  ),
  spaceId: optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'A space of the product' }),
  ),
  firstName: nameText('First name of the guest', 100),
  lastName: nameText('Last name of the guest', 100),
  email: optional(Type.String({ format: 'email', maxLength: 254 })),
  phone: optional(phoneText),
  company: optional(nameText('For channels that need one, a name of their list', 150)),
  partnerBookingId: optional(
    words('Your own id for it; it stays used, also when the booking is cancelled', 100),
  ),
  notes: optional(words('What the guest wishes', 2000)),
  comments: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 2000 }), {
      deprecated: true,
      description: 'The older name of `notes`; where both are sent they must say the same',
    }),
  ),
  admin_notes: optional(words('For the operator alone', 2000)),
  labels: optional(Type.Array(nameText('Label', 50), { maxItems: 20 })),
  depositAmount: optional(
    Type.Number({ minimum: 0, maximum: MOST_PENCE, description: 'What you have taken, in pence' }),
  ),
  preorders: optional(PreorderChoice),
  confirmationToken,
};

const example = {
  type: 'book',
  partySize: 2,
  dateTime: '2026-12-05T19:30:00+00:00',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  notes: 'A quiet table, please.',
  partnerBookingId: 'order-4711',
};

const heldExample = { ...example, holdId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60' };

/** What only a new booking has. */
const heldFields = {
  holdId: optional(
    words('A hold of yours for just this booking, which takes over its place, its terms and its id', 100),
  ),
  offerToken: optional(words('That of the hold; where it is sent, it is checked', 60_000)),
};

export const BookingBody = Type.Object(
  { ...fields, ...heldFields },
  { ...closed, ...named('BookingRequest', 'A booking to be made'), examples: [example, heldExample] },
);
export type BookingBody = Static<typeof BookingBody>;

export const AmendmentBody = Type.Object(
  {
    compositeId: Type.String({ description: 'A product of the same venue' }),
    ...fields,
    phone: optional(
      words('Telephone, like that of a new booking; one that is stored already may stay', PHONE_LENGTH),
    ),
  },
  {
    ...closed,
    ...named('BookingAmendment', 'The booking as it is to be; what is left out is cleared'),
    examples: [{ compositeId: '1|house|soho-grill|dinner', ...example, partySize: 3 }],
  },
);
export type AmendmentBody = Static<typeof AmendmentBody>;

type Noted = Pick<BookingBody, 'notes' | 'comments'>;

export const notesOf = ({ notes, comments }: Noted): string | null => notes ?? comments ?? null;

export function assertSameNotes({ notes, comments }: Noted): void {
  if (notes != null && comments != null && notes !== comments)
    throw invalid('comments', 'is the older name of notes and must say the same, or be left out');
}

export const PatchBody = patchBody([{ op: 'replace', path: '/partySize', value: 4 }]);
