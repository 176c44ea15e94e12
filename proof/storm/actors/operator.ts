/** The people of one venue: they answer enquiries, write to guests, close days, change what there is and what holds. */

import type { Spot } from '../world.ts';
import type { Caller, Told } from './caller.ts';

const BOOKINGS = '/manage/operators/{operatorId}/bookings';
const ONE = `${BOOKINGS}/{bookingId}`;
const PRODUCT = '/manage/venues/{venueId}/products/{productKey}';
const FAQS = '/manage/venues/{venueId}/site-faqs';
const RULES = '/manage/venues/{venueId}/availability-rules';
const BOOKING_RULES = '/manage/operators/{operatorId}/booking-rules';

export async function keepManaging(caller: Caller, spot: Spot): Promise<void> {
  const { stage, pick } = caller;
  const ruleEffects = [answerEnquiry, answerEnquiry, answerEnquiry, changeFaqs, ...DEEDS[spot.kind]];
  while (!stage.isOver()) {
    await pick(ruleEffects)(caller, spot);
    await caller.rest(120);
  }
}

type RuleEffect = (caller: Caller, spot: Spot) => Promise<unknown>;

async function answerEnquiry({ ask, pick, chance }: Caller, { operatorId }: Spot): Promise<void> {
  const status = chance(0.9) ? 'pending,in_progress' : 'confirmed';
  const list = await ask({
    route: `GET ${BOOKINGS}`,
    params: { operatorId },
    query: { status, pageSize: 20 },
  });
  const found: { id: string }[] = list.answer?.data ?? [];
  if (list.status !== 200 || found.length === 0) return;
  const about = { params: { operatorId, bookingId: pick(found).id } };
  if (status === 'confirmed') {
    const route = pick([`POST ${ONE}/cancel`, `POST ${ONE}/complete`, `POST ${ONE}/no-show`]);
    await ask({ route, ...about });
    return;
  }
  const read = await ask({ route: `GET ${ONE}`, ...about });
  const ifMatch = read.headers.get('etag');
  const headers: Record<string, string> = chance(0.5) && ifMatch ? { 'if-match': ifMatch } : {};
  const step = pick(['accept', 'accept', 'accept', 'reject', 'take-up', 'messages'] as const);
  const text = { text: 'Shall we say seven?', replyTo: null };
  await ask({
    route: `POST ${ONE}/${step}`,
    ...about,
    ...(step === 'messages' ? { body: text } : { headers }),
    ...(step === 'reject' && { body: {} }),
  });
  if (step === 'messages') await ask({ route: `GET ${ONE}/messages`, ...about });
}

/** Everybody changes the list on top of what they have read; who comes second is told so and changes nothing. */
async function changeFaqs({ ask, chance, random }: Caller, { venueId }: Spot): Promise<void> {
  const item = { question: `Question ${Math.floor(random() * 1e6)}?`, answer: 'Yes.' };
  const venueCompositeId = venueId;
  if (chance(0.15)) {
    const patch = [{ op: 'add', path: '/-', value: item }];
    await ask({
      route: 'PATCH /venues/{venueCompositeId}/site-faqs',
      params: { venueCompositeId },
      body: patch,
    });
    const items = [{ venueCompositeId, mode: 'replace', faqs: [item] }];
    await ask({ route: 'POST /venues/site-faqs/bulk', body: { items } });
    await ask({
      route: 'PUT /venues/{venueCompositeId}/site-faqs',
      params: { venueCompositeId },
      body: [item],
    });
    await ask({ route: 'DELETE /venues/{venueCompositeId}/site-faqs', params: { venueCompositeId } });
    return;
  }
  const read = await ask({ route: `GET ${FAQS}`, params: { venueId } });
  if (read.status !== 200) return;
  const body = [...read.answer.slice(-4), item];
  await ask({ route: `PUT ${FAQS}`, params: { venueId }, body, headers: matching(read) });
}

const matching = ({ headers }: Told): Record<string, string> => {
  const etag = headers.get('etag');
  return etag ? { 'if-match': etag } : {};
};

/** Reads the product, and writes it back with something changed, unless somebody else was faster. */
async function changeProduct(
  { ask }: Caller,
  { venueId }: Spot,
  // biome-ignore lint/suspicious/noExplicitAny: a document is written back as it was read but for one thing.
  change: (product: any) => unknown,
): Promise<void> {
  const about = { params: { venueId, productKey: 'place' } };
  const read = await ask({ route: `GET ${PRODUCT}`, ...about });
  if (read.status !== 200) return;
  const { compositeId, key, ...product } = read.answer;
  await ask({ route: `PUT ${PRODUCT}`, ...about, body: change(product), headers: matching(read) });
}

/** Closes a day that was open, or opens it again. */
const closeDay: RuleEffect = (caller, spot) => {
  const { date } = caller.pick(spot.starts);
  return changeProduct(caller, spot, (product) => {
    const known: { date: string }[] = product.hours.exceptions ?? [];
    const isClosed = known.some((each) => each.date === date);
    const exceptions = isClosed ? [] : [{ date, periods: [], reason: 'Closed for the day' }];
    return { ...product, hours: { ...product.hours, exceptions } };
  });
};

const addTickets: RuleEffect = (caller, spot) =>
  changeProduct(caller, spot, (product) => {
    const { tickets } = product;
    return { ...product, tickets: { ...tickets, capacity: tickets.capacity + 1 } };
  });

async function changeTable({ ask, pick }: Caller, { venueId }: Spot): Promise<void> {
  const list = await ask({
    route: 'GET /manage/venues/{venueId}/tables',
    params: { venueId },
  });
  const tables: { id: number; isActive: boolean }[] = list.answer?.data ?? [];
  if (list.status !== 200 || tables.length === 0) return;
  const { id: tableId, ...table } = pick(tables);
  const about = { params: { venueId, tableId } };
  const read = await ask({ route: 'GET /manage/venues/{venueId}/tables/{tableId}', ...about });
  await ask({
    route: 'PUT /manage/venues/{venueId}/tables/{tableId}',
    ...about,
    body: { ...table, isActive: !table.isActive },
    headers: matching(read),
  });
}

async function ruleOut({ ask, pick }: Caller, { venueId, starts }: Spot): Promise<void> {
  const { date, time } = pick(starts);
  const definition = { dates: [date], startTime: time, endTime: '23:00', reason: 'Kept for regulars' };
  const body = {
    ...{
      type: 'specific_dates_with_time',
      definition,
      effect: 'disable',
      productKey: 'place',
      spaceId: null,
    },
    ...{ partnerIds: [1], categoryIds: null, scope: null, channel: 'all', isActive: true },
  };
  const made = await ask({ route: `POST ${RULES}`, params: { venueId }, body });
  await ask({ route: `GET ${RULES}`, params: { venueId } });
  if (made.status !== 201) return;
  const about = { params: { venueId, ruleId: made.answer.id } };
  await ask({ route: `GET ${RULES}/{ruleId}`, ...about });
  await ask({ route: `PUT ${RULES}/{ruleId}`, ...about, body: { ...body, isActive: false } });
  await ask({ route: `DELETE ${RULES}/{ruleId}`, ...about });
}

async function limitParties({ ask }: Caller, { operatorId, venueId }: Spot): Promise<void> {
  const rule = {
    ...{ effect: 'party_size_limit', name: 'Large parties call us', message: 'Please call us.' },
    ...{ venueIds: [venueId], params: { max: 12 } },
  };
  const about = { params: { operatorId } };
  await ask({ route: `POST ${BOOKING_RULES}/dry-run`, ...about, body: { rule } });
  const made = await ask({ route: `POST ${BOOKING_RULES}`, ...about, body: rule });
  await ask({ route: `GET ${BOOKING_RULES}`, ...about });
  if (made.status !== 201) return;
  const one = { params: { operatorId, ruleId: made.answer.id } };
  await ask({ route: `PUT ${BOOKING_RULES}/{ruleId}`, ...one, body: { ...rule, params: { max: 14 } } });
  await ask({ route: `DELETE ${BOOKING_RULES}/{ruleId}`, ...one });
}

async function addOccurrence({ ask, pick }: Caller, { venueId, starts }: Spot): Promise<void> {
  const body = { date: pick(starts).date, startsMinute: 600, durationMinutes: 60 };
  const occurrences = '/manage/venues/{venueId}/occurrences';
  const made = await ask({ route: `POST ${occurrences}`, params: { venueId }, body });
  await ask({ route: `GET ${occurrences}`, params: { venueId } });
  if (made.status !== 201) return;
  const one = { params: { venueId, occurrenceId: made.answer.id } };
  await ask({ route: `GET ${occurrences}/{occurrenceId}`, ...one });
  await ask({ route: `DELETE ${occurrences}/{occurrenceId}`, ...one });
}

const DEEDS: Record<Spot['kind'], RuleEffect[]> = {
  room: [closeDay, changeTable, ruleOut, limitParties],
  gig: [addTickets, addOccurrence, limitParties],
  till: [limitParties],
  bistro: [limitParties],
  towers: [limitParties],
};
