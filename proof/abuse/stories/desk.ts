/** What staff do on a day: bookings of the house, visits, blocks, closures, the waiting list, money that goes back. */
import { guestOf } from '../markers.ts';
import { callerNamed, inDays, type Teller, tell } from './tell.ts';

const ALL_OVERRIDES = ['notice', 'pacing', 'rules', 'hours', 'covers'];

export async function deskStories(teller: Teller): Promise<void> {
  await anEveningIsBooked(teller);
  await peopleWalkIn(teller);
  await enquiriesAreAnswered(teller);
  await tablesAreBlocked(teller);
  await aVenueCloses(teller);
  await aPartyWaits(teller);
  await moneyGoesBack(teller);
}

const venueOf = ({ victim }: Teller, name = 'soho-grill') => `${victim.operatorId}|house|${name}`;
const managerOf = (teller: Teller) => callerNamed(teller, 'manager of a victim');
const staffOf = (teller: Teller) => callerNamed(teller, 'staff of a victim');

async function anEveningIsBooked(teller: Teller): Promise<void> {
  const { victim, chances } = teller;
  const [as, venueId] = [staffOf(teller), venueOf(teller)];
  const guest = guestOf('H', victim.operatorId);
  const { firstName, lastName, email, phone } = guest;
  const date = inDays(30 + chances.below(30));
  const party = { productKey: 'dinner', origin: 'phone', date, time: '19:30', partySize: 2 };
  const make = 'POST /manage/venues/{venueId}/bookings';
  const body = { ...party, guest: { firstName, lastName, email, phone }, notes: guest.comments };
  const one = await tell(teller, { name: make, ids: { venueId }, as, body });
  const other = await tell(teller, {
    name: make,
    ids: { venueId },
    as,
    body: { ...party, guest: { lastName } },
  });
  if (!one || !other) return;
  const path = '/manage/operators/{operatorId}/bookings/{bookingId}';
  const ids = { operatorId: victim.operatorId, bookingId: one.id };
  await tell(teller, { name: `PATCH ${path}`, ids, as, query: '?dryRun=true', body: { partySize: 3 } });
  await tell(teller, { name: `PATCH ${path}`, ids, as, body: { notes: guest.comments } });
  await tell(teller, { name: `POST ${path}/swap`, ids, as, body: { bookingId: other.id } });
  const starts = 'GET /manage/venues/{venueId}/starts';
  const query = `?date=${date}&partySize=2&productKey=dinner`;
  const free = await tell(teller, { name: starts, ids: { venueId }, as, query });
  const [product] = free?.data ?? [];
  const start = product?.starts?.find(
    ({ time, isFree }: { time: string; isFree: boolean }) => isFree && time === '19:30',
  );
  if (start) await tell(teller, { name: `PUT ${path}/tables`, ids, as, body: { tableIds: start.tableIds } });
  for (const state of ['arrived', 'seated', 'expected'])
    await tell(teller, { name: `PUT ${path}/visit`, ids, as, body: { state } });
  await tell(teller, { name: `GET ${path}`, ids, as });
  await tell(teller, { name: `POST ${path}/cancel`, ids, as, body: {} });
  const owner = callerNamed(teller, 'owner of a victim');
  await tell(teller, { name: `POST ${path}/forget-guest`, ids, as: owner, body: {} });
}

/** A party that has just come starts at the next step of the grid; what follows a visit is entered in a later wave. */
async function peopleWalkIn(teller: Teller): Promise<void> {
  const { victim, context } = teller;
  const party = { productKey: 'dinner', origin: 'walk_in', partySize: 2, overrides: ALL_OVERRIDES };
  const name = 'POST /manage/venues/{venueId}/bookings';
  for (let left = ENDS.length; left > 0; left -= 1) {
    const ids = { venueId: venueOf(teller) };
    const made = await tell(teller, { name, ids, as: managerOf(teller), body: party });
    if (made) context.known.add(WALK_INS, `${made.dateTime} ${victim.operatorId} ${made.id}`);
  }
  const path = '/manage/operators/{operatorId}/bookings/{bookingId}';
  const begun = context.known
    .in(WALK_INS)
    .filter((text) => Date.parse(text.split(' ')[0] ?? '') < Date.now());
  for (const [index, text] of begun.entries()) {
    const [, operatorId = '', bookingId = ''] = text.split(' ');
    const [method, last, body] = ENDS[index % ENDS.length] ?? [];
    await tell(teller, { name: `${method} ${path}/${last}`, ids: { operatorId, bookingId }, body });
    context.known.forget(WALK_INS, text);
  }
}

const WALK_INS = 'walk-ins of stories';
const ENDS: [string, string, unknown][] = [
  ['PUT', 'actuals', { guests: 2, spendPence: 5400 }],
  ['POST', 'complete', {}],
  ['POST', 'no-show', {}],
];

async function enquiriesAreAnswered(teller: Teller): Promise<void> {
  const { victim, chances } = teller;
  const partner = callerNamed(teller, 'demo-partner');
  const { comments: _, ...guest } = guestOf('A', victim.operatorId);
  const compositeId = `${venueOf(teller)}|dinner`;
  const path = '/manage/operators/{operatorId}/bookings/{bookingId}';
  for (const answer of ['accept', 'reject']) {
    const body = {
      ...guest,
      type: 'request',
      partySize: 2,
      date: inDays(61 + chances.below(20)),
      time: '20:00',
    };
    const name = 'POST /venues/{compositeId}/booking';
    const made = await tell(teller, { name, ids: { compositeId }, as: partner, body });
    if (!made) continue;
    const ids = { operatorId: victim.operatorId, bookingId: made.id };
    await tell(teller, { name: `POST ${path}/take-up`, ids, as: staffOf(teller), body: {} });
    await tell(teller, { name: `POST ${path}/${answer}`, ids, as: staffOf(teller), body: {} });
  }
}

async function tablesAreBlocked(teller: Teller): Promise<void> {
  const [as, venueId] = [staffOf(teller), venueOf(teller)];
  const tables = await tell(teller, { name: 'GET /manage/venues/{venueId}/tables', ids: { venueId }, as });
  const [table] = tables?.data ?? [];
  const day = inDays(90);
  const body = { from: `${day}T18:00`, to: `${day}T23:00`, tableIds: [table?.id], reason: 'Wobbly leg' };
  const path = '/manage/venues/{venueId}/blocks';
  const made = await tell(teller, { name: `POST ${path}`, ids: { venueId }, as, body });
  if (!made) return;
  const ids = { venueId, blockId: made.id };
  await tell(teller, { name: `GET ${path}/{blockId}`, ids, as });
  await tell(teller, { name: `PUT ${path}/{blockId}`, ids, as, body: { ...body, reason: 'Two legs' } });
  await tell(teller, { name: `DELETE ${path}/{blockId}`, ids, as });
}

async function aVenueCloses(teller: Teller): Promise<void> {
  const [as, venueId] = [managerOf(teller), venueOf(teller, 'garden-room')];
  const day = inDays(95);
  const body = {
    from: day,
    to: day,
    reason: 'Flood in the cellar',
    bookings: 'cancel',
    message: 'We are sorry.',
  };
  const path = '/manage/venues/{venueId}/closures';
  await tell(teller, { name: `POST ${path}`, ids: { venueId }, as, query: '?dryRun=true', body });
  const made = await tell(teller, { name: `POST ${path}`, ids: { venueId }, as, body });
  if (!made) return;
  const ids = { venueId, closureId: made.id };
  await tell(teller, { name: `GET ${path}/{closureId}`, ids, as });
  await tell(teller, { name: `DELETE ${path}/{closureId}`, ids, as });
  const layout = {
    zones: [{ ref: 'ground', name: 'Ground floor' }],
    areas: [{ ref: 'window', zoneId: 'ground', name: 'Window' }],
    tables: [{ ref: 't1', areaId: 'window', name: '1', maxCovers: 4, x: 0, y: 0, width: 80, height: 80 }],
    combinations: [],
  };
  const write = 'PUT /manage/venues/{venueId}/layout';
  await tell(teller, { name: write, ids: { venueId }, as, query: '?dryRun=true', body: layout });
  await tell(teller, { name: write, ids: { venueId: venueOf(teller, 'closed-cafe') }, as, body: layout });
  const preview = 'GET /manage/venues/{venueId}/mails/preview';
  await tell(teller, { name: preview, ids: { venueId }, as, query: '?kind=confirmation&language=de' });
  await tell(teller, {
    name: 'PUT /manage/venues/{venueId}/mails',
    ids: { venueId },
    as,
    body: { replyTo: 'desk@victim.example', reminderHours: 24, sentence: 'Ring the bell.', language: 'fr' },
  });
}

/** Nothing is free while all tables are blocked, and everything when they no longer are. */
async function aPartyWaits(teller: Teller): Promise<void> {
  const { victim } = teller;
  const [as, venueId] = [staffOf(teller), venueOf(teller)];
  const path = '/manage/venues/{venueId}/waitlist';
  const blocks = '/manage/venues/{venueId}/blocks';
  const tables = await tell(teller, { name: 'GET /manage/venues/{venueId}/tables', ids: { venueId }, as });
  const tableIds = (tables?.data ?? []).map(({ id }: { id: number }) => id);
  const { comments: _, ...guest } = guestOf('H', victim.operatorId);
  const party = { productKey: 'dinner', from: '19:00', to: '21:00', partySize: 2, ...guest };
  for (const [index, end] of ['POST offer', 'POST book', 'DELETE'].entries()) {
    const date = inDays(70 + index);
    const block = { from: `${date}T12:00`, to: `${date}T23:30`, tableIds, reason: 'A party' };
    const blocked = await tell(teller, { name: `POST ${blocks}`, ids: { venueId }, as, body: block });
    const made = await tell(teller, { name: `POST ${path}`, ids: { venueId }, as, body: { ...party, date } });
    const ids = { venueId, entryId: made?.id ?? '', blockId: blocked?.id ?? '' };
    if (made) await tell(teller, { name: `GET ${path}/{entryId}`, ids, as });
    if (made) await tell(teller, { name: `PATCH ${path}/{entryId}`, ids, as, body: { before: null } });
    if (blocked) await tell(teller, { name: `DELETE ${blocks}/{blockId}`, ids, as });
    if (!made) continue;
    const [method, last] = end.split(' ');
    const name = `${method} ${path}/{entryId}${last ? `/${last}` : ''}`;
    await tell(teller, { name, ids, as, ...(method === 'POST' && { body: {} }) });
  }
}

async function moneyGoesBack(teller: Teller): Promise<void> {
  const { victim, chances } = teller;
  const partner = callerNamed(teller, 'demo-partner');
  const { comments: _, ...guest } = guestOf('A', victim.operatorId);
  const compositeId = `${victim.operatorId}|tickets|jazz-night|ticket`;
  const search = 'GET /venues/{compositeId}/availability';
  const products = await tell(teller, {
    name: 'GET /manage/venues/{venueId}/products',
    ids: { venueId: `${victim.operatorId}|tickets|jazz-night` },
    as: managerOf(teller),
  });
  const key = products?.data?.[0]?.key ?? 'ticket';
  const ids = { compositeId: compositeId.replace(/ticket$/, key) };
  const occurrences = await tell(teller, {
    name: 'GET /manage/venues/{venueId}/occurrences',
    ids: { venueId: `${victim.operatorId}|tickets|jazz-night` },
    as: managerOf(teller),
  });
  const dates: string[] = (occurrences?.data ?? []).map(({ date }: { date: string }) => date);
  const date = chances.maybe(dates.filter((day) => day > inDays(2))) ?? inDays(10);
  const found = await tell(teller, { name: search, ids, as: partner, query: `?partySize=2&date=${date}` });
  const time = found?.times?.[0]?.time ?? '20:00';
  const booking = { ...guest, type: 'book', partySize: 2, date, time };
  const made = await tell(teller, {
    name: 'POST /venues/{compositeId}/booking',
    ids,
    as: partner,
    body: booking,
  });
  if (!made) return;
  const bookingId = { bookingId: made.id };
  await tell(teller, {
    name: 'GET /venues/bookings/{bookingId}/payment-options',
    ids: bookingId,
    as: partner,
  });
  const pay = 'POST /venues/bookings/{bookingId}/payments';
  const payment = { option: 'full', token: 'tok_success' };
  await tell(teller, { name: pay, ids: bookingId, as: partner, body: payment });
  const refund = 'POST /manage/operators/{operatorId}/bookings/{bookingId}/refunds';
  const at = { operatorId: victim.operatorId, ...bookingId };
  await tell(teller, { name: refund, ids: at, as: managerOf(teller), body: { amount: 100, reason: 'Cold' } });
  for (const report of ['covers', 'money', 'money.csv', 'bookings.csv']) {
    const name = `GET /manage/operators/{operatorId}/reports/${report}`;
    await tell(teller, {
      name,
      ids: at,
      as: managerOf(teller),
      query: `?from=${inDays(-30)}&to=${inDays(200)}`,
    });
  }
}
