/** `book`, `bookings`, and what is done to one of them. */
import { randomUUID } from 'node:crypto';
import { type Booking, MaitredError } from '@maitred/client';
import { defineCommand, UsageError } from '../command.ts';
import { readCount, readDate, readTime } from '../dates.ts';
import { money, type Output, printable } from '../output.ts';
import { dayAt } from './venues.ts';

const STATUSES = [
  'pending',
  'in_progress',
  'confirmed',
  'rejected',
  'cancelled',
  'completed',
  'no_show',
] as const;
type Status = (typeof STATUSES)[number];
const DEFAULT_LIMIT = '20';
const MOST_A_PAGE = 100;

export const book = defineCommand({
  name: 'book',
  summary: 'Book a product, or ask for it where the venue has to agree',
  details: `A booking is sent under an id of its own (--reference), so that it is made once whatever happens on the way.
With --hold, the place and the day, time and party of that hold are taken.`,
  arguments: [{ name: 'PRODUCT', isOptional: true }],
  options: {
    date: { type: 'string', value: 'DAY', about: '2026-12-05, today, tomorrow, +7d or friday' },
    time: { type: 'string', value: 'TIME', about: 'The start, such as 19:30' },
    party: { type: 'string', value: 'COUNT', about: 'How many adults; 2 if not given' },
    children: { type: 'string', value: 'COUNT', about: 'How many children besides' },
    name: { type: 'string', value: 'NAME', about: 'The guest, such as "Ada Lovelace"' },
    email: { type: 'string', value: 'ADDRESS', about: "The guest's address" },
    phone: { type: 'string', value: 'NUMBER', about: "The guest's telephone" },
    notes: { type: 'string', value: 'TEXT', about: 'What the guest asks for' },
    request: { type: 'boolean', about: 'Send an enquiry, which the venue answers' },
    hold: { type: 'string', value: 'ID', about: 'Book what this hold keeps' },
    reference: {
      type: 'string',
      value: 'ID',
      about: 'Your own id of the booking; one is made up if not given',
    },
  },
  examples: [
    'maitred book \'1|house|soho-grill|dinner\' --date friday --time 19:30 --party 2 --name "Ada Lovelace"',
    'maitred book --hold 019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60 --name "Ada Lovelace" --email ada@example.com',
  ],
  async run({ args: [product], options }, { out, connect, signal }) {
    const { hold: holdId, reference = `cli-${randomUUID()}` } = options;
    const guest = { ...guestOf(options), partnerBookingId: reference };
    const maitred = await connect();
    // Ctrl-C and lost answers leave a guest who does not know; the id finds the booking, and is taken once.
    const made = async (send: () => Promise<Booking>) => {
      const booking = await send().catch((error: unknown) => {
        if (signal.aborted || (error instanceof MaitredError && !error.isOutcomeKnown))
          out.note(
            `It may have been made: maitred bookings --reference ${reference}. To try again: --reference ${reference}`,
          );
        throw error;
      });
      showBooking(out, booking);
    };
    if (holdId !== undefined) {
      const hold = await maitred.holds.get(holdId, { signal });
      return made(() => maitred.holds.book(hold, guest, { signal }));
    }
    const { date, time, party = '2', children, request = false } = options;
    if (!product || !date || !time)
      throw new UsageError('PRODUCT, --date and --time are needed, or --hold in their place.');
    const booking = {
      ...guest,
      type: request ? ('request' as const) : ('book' as const),
      date: await dayAt(maitred, product, date, signal),
      time: readTime(time),
      partySize: readCount('--party', party),
      ...(children && { children: readCount('--children', children) }),
    };
    await made(() => maitred.bookings.create(product, booking, { signal }));
  },
});

export const bookings = defineCommand({
  name: 'bookings',
  summary: 'List your bookings',
  options: {
    status: {
      type: 'string',
      isList: true,
      value: 'STATUS,…',
      about: `Only ${STATUSES.join(', ')}`,
      choices: STATUSES,
    },
    venue: { type: 'string', value: 'VENUE', about: 'Only at this venue' },
    from: { type: 'string', value: 'DAY', about: 'Only on this day or later, such as 2026-12-05 or today' },
    to: { type: 'string', value: 'DAY', about: 'Only on this day or earlier' },
    reference: { type: 'string', value: 'ID', about: 'Only the one with this id of yours' },
    limit: { type: 'string', value: 'COUNT', about: `How many at most; ${DEFAULT_LIMIT} if not given` },
  },
  examples: [
    'maitred bookings',
    'maitred bookings --status confirmed --from today',
    'maitred bookings --json',
  ],
  async run({ options }, { out, connect, signal }) {
    const { status = [], venue, from, to, reference, limit = DEFAULT_LIMIT } = options;
    const unknown = status.find((each) => !STATUSES.includes(each as Status));
    if (unknown) throw new UsageError(`There is no status ${unknown}: use ${STATUSES.join(', ')}.`);
    const most = readCount('--limit', limit);
    const today = new Date().toLocaleDateString('en-CA');
    const maitred = await connect();
    const found = await maitred.bookings
      .list(
        {
          pageSize: Math.min(most, MOST_A_PAGE),
          ...(status.length > 0 && { status: status as Status[] }),
          ...(venue && { venueId: venue }),
          ...(from && { dateFrom: readDate(from, today) }),
          ...(to && { dateTo: readDate(to, today) }),
          ...(reference && { partnerBookingId: reference }),
        },
        { signal },
      )
      .all(most);
    out.document(found, () => {
      if (found.length === 0) return out.line('There is no such booking.');
      out.table(found, [
        { title: 'BOOKING', of: ({ id }) => id },
        { title: 'STATUS', of: ({ status: state }) => state },
        { title: 'DATE', of: ({ date }) => date },
        { title: 'TIME', of: ({ time }) => time },
        { title: 'PARTY', of: ({ partySize }) => partySize, isNumber: true },
        { title: 'GUEST', of: nameOf },
        { title: 'VENUE', of: ({ venueName, productName }) => `${venueName}, ${productName}` },
      ]);
    });
  },
});

const ID = [{ name: 'BOOKING' }] as const;

export const showBookingCommand = defineCommand({
  name: 'bookings show',
  summary: 'Show one booking',
  arguments: ID,
  options: {},
  examples: ['maitred bookings show 019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60'],
  async run({ args: [id = ''] }, { out, connect, signal }) {
    const maitred = await connect();
    showBooking(out, await maitred.bookings.get(id, {}, { signal }));
  },
});

export const cancelBooking = defineCommand({
  name: 'bookings cancel',
  summary: 'Cancel a booking',
  arguments: ID,
  options: {},
  examples: ['maitred bookings cancel 019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60'],
  async run({ args: [id = ''] }, { out, connect, signal }) {
    const maitred = await connect();
    await maitred.bookings.cancel(id, { signal });
    out.document({ id, status: 'cancelled' }, () => out.line(`Cancelled ${id}.`));
  },
});

export const amendBooking = defineCommand({
  name: 'bookings amend',
  summary: 'Change a booking',
  arguments: ID,
  options: {
    date: { type: 'string', value: 'DAY', about: 'The new day' },
    time: { type: 'string', value: 'TIME', about: 'The new start' },
    party: { type: 'string', value: 'COUNT', about: 'The new number of adults' },
    children: { type: 'string', value: 'COUNT', about: 'The new number of children' },
    name: { type: 'string', value: 'NAME', about: 'The new name of the guest' },
    email: { type: 'string', value: 'ADDRESS', about: "The guest's new address" },
    phone: { type: 'string', value: 'NUMBER', about: "The guest's new telephone" },
    notes: { type: 'string', value: 'TEXT', about: 'What the guest asks for now' },
  },
  examples: ['maitred bookings amend 019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60 --time 20:00 --party 3'],
  async run({ args: [id = ''], options }, { out, connect, signal }) {
    const { date, time, party, children, name, email, phone, notes } = options;
    const maitred = await connect();
    const changes: Record<string, unknown> = {
      ...(time && { time: readTime(time) }),
      ...(party && { partySize: readCount('--party', party) }),
      ...(children && { children: readCount('--children', children) }),
      ...(name && namesOf(name)),
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone }),
      ...(notes !== undefined && { notes }),
    };
    if (date) {
      const { compositeId = '' } = await maitred.bookings.get(id, { fields: 'compositeId' }, { signal });
      changes.date = await dayAt(maitred, compositeId, date, signal);
    }
    if (Object.keys(changes).length === 0)
      throw new UsageError('Say what to change: see `maitred help bookings amend`.');
    const operations = Object.entries(changes).map(
      ([field, value]) => ({ op: 'replace', path: `/${field}`, value }) as const,
    );
    showBooking(out, await maitred.bookings.patch(id, operations, { signal }));
  },
});

interface GuestOptions {
  name?: string;
  email?: string;
  phone?: string;
  notes?: string;
}

function guestOf({ name, email, phone, notes }: GuestOptions) {
  if (!name) throw new UsageError('The guest is missing: --name "Ada Lovelace".');
  return { ...namesOf(name), ...(email && { email }), ...(phone && { phone }), ...(notes && { notes }) };
}

/** The last word is the surname. */
function namesOf(name: string): { firstName: string; lastName: string } {
  const words = name.trim().split(/\s+/);
  const lastName = words.pop() ?? '';
  if (words.length === 0) throw new UsageError('--name takes a first and a last name, as in "Ada Lovelace".');
  return { firstName: words.join(' '), lastName };
}

const nameOf = ({ firstName, lastName }: { firstName?: string | null; lastName?: string | null }) =>
  [firstName, lastName].filter(Boolean).join(' ');

export function showBooking(out: Output, booking: Booking): void {
  out.document(booking, () => {
    const { date, time, duration, partySize, children, paymentDue } = booking;
    const colour =
      booking.status === 'confirmed' ? 'green' : booking.status === 'cancelled' ? 'red' : 'yellow';
    const what = printable(`${booking.venueName}, ${booking.productName}`);
    out.line(`${out.style(colour, printable(booking.status))}  ${what}`);
    out.line();
    out.facts({
      booking: booking.id,
      product: booking.compositeId,
      when: `${date} ${time}, ${duration} minutes`,
      party: children > 0 ? `${partySize} and ${children} children` : partySize,
      guest: nameOf(booking),
      email: booking.email,
      phone: booking.phone,
      notes: booking.notes,
      number: booking.operatorBookingId,
      'your id': booking.partnerBookingId,
      'to pay': paymentDue && `${money(paymentDue.amount, paymentDue.currency)} until ${paymentDue.until}`,
    });
  });
}
