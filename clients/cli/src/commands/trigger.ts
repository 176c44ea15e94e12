/** `trigger`: makes events happen in a sandbox with real calls, so that they are in the event log and are delivered. */
import { randomUUID } from 'node:crypto';
import { type Booking, isProblem, type Maitred, ProblemError } from '@maitred/client';
import { defineCommand, UsageError } from '../command.ts';
import { type Context, NotLoggedInError } from '../context.ts';
import { addDays, readCount, readDate, readTime, todayIn } from '../dates.ts';
import { printable } from '../output.ts';
import { dayAt, venueOf } from './venues.ts';

const DEFAULT_OPERATOR = 'operator';
/** Far enough ahead that no minimum notice is in the way. */
const FIRST_DAY = 7;
const DAYS_TRIED = 14;
const USUAL_TIME = '19:00';
const GUEST = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };

interface Happened {
  eventType: string;
  about: string;
  bookingId?: string;
  note?: string;
}

interface Trigger {
  summary: string;
  isByVenue?: boolean;
  run(scene: Scene): Promise<Happened>;
}

function told({ id, status, venueName, date, time }: Booking): Happened {
  return {
    eventType: 'booking.updated',
    about: `${id}: ${status}, ${venueName}, ${date} ${time}`,
    bookingId: id,
  };
}

/** What the venue does to a booking, over the interface of operators. */
const byVenue = (summary: string, make: 'confirmed' | 'enquiry', action: string): Trigger => ({
  summary,
  isByVenue: true,
  async run(scene) {
    const booking = await scene.booking(make);
    await scene.asVenue('POST', `/bookings/${booking.id}/${action}`, booking, {});
    return told(await scene.read(booking.id));
  },
});

const TRIGGERS: Record<string, Trigger> = {
  'booking.confirmed': {
    summary: 'You book, and it is confirmed at once',
    run: async (scene) => told(await scene.make('confirmed')),
  },
  'booking.enquiry': {
    summary: 'You send an enquiry, which is pending',
    run: async (scene) => told(await scene.make('enquiry')),
  },
  'booking.amended': {
    summary: 'You change the notes of a booking',
    async run(scene) {
      const { id } = await scene.booking('confirmed');
      const notes = `A table by the window, please (${new Date().toISOString()})`;
      return told(
        await scene.maitred.bookings.patch(id, [{ op: 'replace', path: '/notes', value: notes }], scene.call),
      );
    },
  },
  'booking.cancelled': {
    summary: 'You cancel a booking',
    async run(scene) {
      const { id } = await scene.booking('confirmed');
      await scene.maitred.bookings.cancel(id, scene.call);
      return told(await scene.read(id));
    },
  },
  'booking.accepted': byVenue('The venue accepts an enquiry', 'enquiry', 'accept'),
  'booking.rejected': byVenue('The venue rejects an enquiry', 'enquiry', 'reject'),
  'booking.cancelled-by-venue': byVenue('The venue cancels a booking', 'confirmed', 'cancel'),
  'message.received': {
    summary: 'The venue writes to you about a booking',
    isByVenue: true,
    async run(scene) {
      const booking = await scene.booking('confirmed');
      const body = { text: 'Do you need a high chair?', replyTo: 'desk@venue.example' };
      await scene.asVenue('POST', `/bookings/${booking.id}/messages`, booking, body);
      return { eventType: 'message.received', about: `${booking.id}: ${body.text}`, bookingId: booking.id };
    },
  },
  'hold.expired': {
    summary: 'A hold of yours ends without a booking',
    async run(scene) {
      const { compositeId, ...slot } = await scene.findStart();
      const { id } = await scene.maitred.holds.create(compositeId, { ...slot, ttlSeconds: 1 }, scene.call);
      return {
        eventType: 'hold.expired',
        about: `${id}: ${compositeId}, ${slot.date} ${slot.time}`,
        note: 'It comes within a minute or so, to subscriptions and listeners that name hold.expired.',
      };
    },
  },
  'waitlist.offered': {
    summary: 'The venue offers a place to a party on the waiting list',
    isByVenue: true,
    async run(scene) {
      const { compositeId, date, time, partySize } = await scene.findStart();
      const party = { date, from: time, to: time, partySize, ...GUEST };
      const { id } = await scene.maitred.waitlist.join(compositeId, party, scene.call);
      const venueId = venueOf(compositeId);
      await scene.operatorRequest(
        'POST',
        `/manage/venues/${encodeURIComponent(venueId)}/waitlist/${id}/offer`,
        {},
      );
      return { eventType: 'waitlist.offered', about: `${id}: ${compositeId}, ${date} ${time}` };
    },
  },
  'webhook.ping': {
    summary: 'A ping to your subscriptions; it is not in the event log',
    async run({ maitred, call }) {
      const { deliveries } = await maitred.webhooks.test({ eventType: 'webhook.ping' }, {}, call);
      const arrived = deliveries.filter(({ delivered }) => delivered).length;
      return {
        eventType: 'webhook.ping',
        about: `${arrived} of ${deliveries.length} subscriptions took it`,
        note: '`maitred listen` does not see it, because it reads the log.',
      };
    },
  },
};

export const trigger = defineCommand({
  name: 'trigger',
  summary: 'Make an event happen in a sandbox, by real calls',
  details: `EVENT is one that \`maitred trigger --list\` shows. Some of them are done by the venue: they need a login of the
operator as well (--operator-profile). A free start is found by itself unless you give one. In live nothing is done.`,
  arguments: [{ name: 'EVENT', isOptional: true, choices: Object.keys(TRIGGERS) }],
  options: {
    list: { type: 'boolean', about: 'List the events' },
    product: { type: 'string', value: 'PRODUCT', about: 'What to book' },
    date: { type: 'string', value: 'DAY', about: 'When; a day in the coming weeks if not given' },
    time: { type: 'string', value: 'TIME', about: `The start; about ${USUAL_TIME} if not given` },
    party: { type: 'string', value: 'COUNT', about: 'How many adults; 2 if not given' },
    booking: { type: 'string', value: 'ID', about: 'Use this booking in place of a new one' },
    'operator-profile': {
      type: 'string',
      value: 'NAME',
      about: `The login of the operator; \`${DEFAULT_OPERATOR}\` if not given`,
      choices: 'profiles',
    },
  },
  examples: [
    'maitred trigger booking.confirmed',
    "maitred trigger booking.amended --product '1|house|soho-grill|dinner' --date friday",
    'maitred login --profile operator --client-id demo-operator && maitred trigger message.received',
  ],
  async run({ args: [name], options }, context) {
    const { out, connect, signal } = context;
    if (options.list) return listTriggers(context);
    const known = name !== undefined && Object.hasOwn(TRIGGERS, name) ? TRIGGERS[name] : undefined;
    if (!name || !known)
      throw new UsageError(
        `${name ? `There is no event ${name}` : 'Which event'}? \`maitred trigger --list\` shows them.`,
      );
    const maitred = await connect();
    const operatorProfile = options['operator-profile'] ?? DEFAULT_OPERATOR;
    const operator = known.isByVenue ? await connectOperator(context, operatorProfile) : undefined;
    await assertSandbox(maitred, signal);
    const happened = await known.run(createScene(maitred, operator, options, signal));
    out.document({ trigger: name, ...happened }, () => {
      const { eventType, about, note } = happened;
      out.line(`${out.style('green', eventType)}  ${printable(about)}`);
      if (note) out.line(note);
    });
  },
});

interface SceneOptions {
  product?: string;
  date?: string;
  time?: string;
  party?: string;
  booking?: string;
}

interface Start {
  compositeId: string;
  date: string;
  time: string;
  partySize: number;
}

type Scene = ReturnType<typeof createScene>;

function createScene(
  maitred: Maitred,
  operator: Maitred | undefined,
  options: SceneOptions,
  signal: AbortSignal,
) {
  const call = { signal };
  const partySize = readCount('--party', options.party ?? '2');
  const read = (id: string) => maitred.bookings.get(id, {}, call);

  function operatorRequest(method: string, path: string, body?: unknown) {
    if (!operator) throw new Error('This event needs the login of an operator.');
    return operator.request(method, path, { signal, ...(body !== undefined && { body }) });
  }

  /** Whether the login of the operator, where the event needs one, is that of this operator. */
  const served = new Map<string, Promise<boolean>>();
  function isServed(compositeId: string): Promise<boolean> {
    const [operatorId = ''] = compositeId.split('|');
    const known =
      served.get(operatorId) ?? (operator === undefined ? Promise.resolve(true) : mayManage(operatorId));
    served.set(operatorId, known);
    return known;
  }
  async function mayManage(operatorId: string): Promise<boolean> {
    try {
      await operatorRequest('GET', `/manage/operators/${operatorId}/bookings?pageSize=1`);
      return true;
    } catch (error) {
      if (error instanceof ProblemError && [403, 404].includes(error.status)) return false;
      throw error;
    }
  }

  async function findStart(): Promise<Start> {
    const { product } = options;
    const time = readTime(options.time ?? USUAL_TIME);
    const days = await daysToTry(maitred, options, signal);
    for (const date of days) {
      const found = product ? await startOf(product, date, time) : await startAnywhere(date, time);
      if (found) return { ...found, date, partySize };
    }
    throw new UsageError(
      `There is no free start${product ? ` of ${product}` : ''} on ${days.join(', ')}. Try --date, --party or --product.`,
    );
  }

  async function startOf(compositeId: string, date: string, time: string) {
    const { times } = await maitred.availability.get(compositeId, { date, partySize, time }, call);
    const start = times.find(({ type }) => type === 'book') ?? times[0];
    return start && { compositeId, time: start.time };
  }

  /** One that takes neither a deposit nor a preorder. */
  async function startAnywhere(date: string, time: string) {
    const { tables } = await maitred.availability.findTables({ date, time, partySize, limit: 20 }, call);
    for (const { compositeId, type, deposit, needs, spaceId, time: start } of tables) {
      const isPlain = type === 'book' && !deposit && !needs?.length && spaceId === undefined;
      if (isPlain && (await isServed(compositeId))) return { compositeId, time: start };
    }
    return undefined;
  }

  async function make(kind: 'confirmed' | 'enquiry'): Promise<Booking> {
    const { compositeId, ...slot } = await findStart();
    const type = kind === 'enquiry' ? ('request' as const) : ('book' as const);
    const partnerBookingId = `trigger-${randomUUID()}`;
    return maitred.bookings.create(compositeId, { type, ...slot, ...GUEST, partnerBookingId }, call);
  }

  return {
    maitred,
    call,
    read,
    make,
    findStart,
    operatorRequest,
    /** The one that was named, or a new one. */
    booking: (kind: 'confirmed' | 'enquiry') => (options.booking ? read(options.booking) : make(kind)),
    asVenue: (method: string, path: string, { compositeId }: Booking, body: unknown) =>
      operatorRequest(method, `/manage/operators/${compositeId.split('|')[0]}${path}`, body),
  };
}

async function daysToTry(
  maitred: Maitred,
  { date, product }: SceneOptions,
  signal: AbortSignal,
): Promise<string[]> {
  const today = todayIn('UTC', Date.now());
  if (date !== undefined)
    return [product ? await dayAt(maitred, product, date, signal) : readDate(date, today)];
  return Array.from({ length: DAYS_TRIED }, (_, index) => addDays(today, FIRST_DAY + index));
}

async function connectOperator({ connect, getProfile }: Context, name: string): Promise<Maitred> {
  const { url } = await getProfile();
  try {
    const operator = await getProfile(name);
    // A booking at one service must not be answered for at another.
    if (operator.url !== url)
      throw new UsageError(`The login «${name}» is for ${operator.url}, and yours for ${url}.`);
    return await connect(name);
  } catch (error) {
    if (!(error instanceof NotLoggedInError)) throw error;
    throw new NotLoggedInError(
      `The venue does this, so it takes a login of its operator. Run: maitred login --profile ${name} --url ${url} --client-id demo-operator (in a sandbox its secret is demo-operator-secret)`,
    );
  }
}

/** Only a sandbox answers as it is told to; elsewhere the header is refused, or an older service passes over it. */
async function assertSandbox(maitred: Maitred, signal: AbortSignal): Promise<void> {
  const headers = { 'x-sandbox-fault': 'answer=PMAP-N-001' };
  const found = maitred.venues.get('0|sandbox|asked', {}, { headers, signal });
  const said = await found.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (isProblem(said, 'PMAP-N-001')) return;
  if (!isProblem(said, 'VALID-N-001') && !isProblem(said, 'VENUE-N-001')) throw said;
  throw new Error(
    `This is no sandbox, or the client is not a partner's, so nothing was done. The service says: ${said.detail}`,
  );
}

function listTriggers({ out }: Context): void {
  const rows = Object.entries(TRIGGERS).map(([name, { summary, isByVenue = false }]) => ({
    name,
    summary,
    isByVenue,
  }));
  out.document(rows, () =>
    out.table(rows, [
      { title: 'EVENT', of: ({ name }) => name },
      { title: 'WHAT HAPPENS', of: ({ summary }) => summary },
      { title: 'BY', of: ({ isByVenue }) => (isByVenue ? 'the operator' : 'you') },
    ]),
  );
}
