/** One trading day of a feed: every start that a reader of the feed could book, in the words of the interface. */
import { clockTime, dateTimeOf, localOf, MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { Forecast, ForecastSlot, ForecastSlots, Spots } from '../../tms/contract.ts';
import { type Offer, offersOf, ruleSlotBy } from '../availability/service.ts';
import { type CompiledRule, factsIn, rulerBy } from '../booking-rules/service.ts';
import { depositFor, type VenueRecord } from '../venues/service.ts';
import type { Channel } from './channels.ts';

export interface Day {
  /** The text of the file, on the page; undefined: there is nothing to be had. */
  text: Buffer | undefined;
  slots: number;
  /** From here on the passing of time alone can make another day of it. */
  holdsUntilMs: number;
}

/** So many of the smallest parties are in a feed, and the largest. */
const SMALLEST_PARTIES = 20;

function sizesIn({ partySizes }: Forecast): readonly number[] {
  if (partySizes.length <= SMALLEST_PARTIES) return partySizes;
  return [...partySizes.slice(0, SMALLEST_PARTIES), ...partySizes.slice(-1)];
}

export function feedDay(
  channel: Channel,
  { forecast, slotsOn, page }: { forecast: Forecast; slotsOn: ForecastSlots; page: Page },
  date: string,
  nowMs: number,
): Day {
  const { product } = channel;
  const venue = withoutSpends(channel.venue);
  const writer = createWriter(channel, forecast, date, page);
  const notices = noticesOf(channel, forecast);
  let holdsUntilMs = channel.rules.some(countsDays) ? nextMidnightMs(nowMs) : Number.POSITIVE_INFINITY;
  const ruler = channel.rules.length === 0 ? undefined : rulerBy(channel.rules);
  for (const partySize of sizesIn(forecast)) {
    const query = { partySize, children: 0, includeUnavailable: false };
    const ruleSlot = ruler && ruleSlotBy(ruler, channel.aimed, { query, nowMs });
    const context = { venue, product, operatorRules: channel.operatorRules, audience: channel.audience };
    const add = writer.forParty(partySize);
    for (const offer of offersOf(slotsOn(date, partySize, nowMs), { ...context, query, ruleSlot })) {
      if (offer.reasons.length > 0) continue;
      add(offer);
      for (const noticeMs of notices) {
        const endsMs = offer.slot.startMs - noticeMs;
        if (endsMs >= nowMs && endsMs < holdsUntilMs) holdsUntilMs = endsMs;
      }
    }
  }
  const enters = entersHorizonMs(forecast, venue.timeZone, date, nowMs);
  return { ...writer.done(), holdsUntilMs: Math.min(holdsUntilMs, enters) };
}

/** What has to be spent depends on the hour, takes long to find out for each slot, and is not in a feed. */
function withoutSpends(venue: VenueRecord): VenueRecord {
  const spaces = venue.spaces.map((space) => ({
    ...space,
    policies: { ...space.policies, minimumSpend: [] },
    spendOverrides: [],
  }));
  return { ...venue, spaces };
}

/** How long before a start something about it can change. */
function noticesOf({ rules }: Channel, { noticeMinutes }: Forecast): number[] {
  const ofRules = rules.flatMap(({ rule }) =>
    rule.effect === 'booking_window' ? (rule.params.minNoticeHours ?? []) : [],
  );
  return [noticeMinutes * MS_PER_MINUTE, ...ofRules.map((hours) => hours * 60 * MS_PER_MINUTE)];
}

/** Whether a rule says something else on another day although the start is the same. */
function countsDays({ rule }: CompiledRule): boolean {
  if (rule.conditions.some(({ field }) => field === 'daysAhead')) return true;
  if (rule.effect === 'booking_window') return rule.params.maxHorizonDays !== null;
  return rule.effect === 'expression' && factsIn(rule.when).has('daysAhead');
}

/** Rules count days in London. */
function nextMidnightMs(nowMs: number): number {
  const { date } = localOf('Europe/London', nowMs);
  const tomorrow = Temporal.PlainDate.from(date).add({ days: 1 });
  return tomorrow.toZonedDateTime('Europe/London').epochMilliseconds;
}

/** When a day that is too far away comes near enough; never, for one that is. */
function entersHorizonMs({ horizonDays }: Forecast, zone: string, date: string, nowMs: number): number {
  if (horizonDays === null) return Number.POSITIVE_INFINITY;
  const entry = Temporal.PlainDate.from(date).subtract({ days: horizonDays });
  const entryMs = entry.toZonedDateTime(zone).epochMilliseconds;
  return entryMs > nowMs ? entryMs : Number.POSITIVE_INFINITY;
}

/**
 * Writes the text piece by piece. A slot is three pieces, by its start, its spots and its room; each is put into words,
 * and encoded, once.
 */
function createWriter({ venue, product }: Channel, { bounds }: Forecast, date: string, page: Page) {
  const { minMinutes, maxMinutes, stepMinutes } = bounds;
  const head = `{"merchant_id":${JSON.stringify(venue.id)},"service_id":${JSON.stringify(product.id)},"date":"${date}"`;
  const durations = `"min_duration":${minMinutes},"max_duration":${maxMinutes},"duration_interval":${stepMinutes}`;
  const requirement = minMinutes === maxMinutes ? 'DO_NOT_SHOW_DURATION' : 'MUST_SHOW_DURATION';
  const tail = `,"duration_requirement":"${requirement}"},`;
  const noRoom = `,"room_id":null,"room_name":null,"space_id":null${tail}`;
  const rooms = new Map(
    venue.spaces.map(({ id, name }) => [
      id,
      `,"room_id":"${id}","room_name":${JSON.stringify(name)},"space_id":${id}${tail}`,
    ]),
  );
  const whenOf = ({ minute, startMs }: ForecastSlot) =>
    Buffer.from(`${head},"time":"${clockTime(minute)}","date_time":"${dateTimeOf(venue.timeZone, startMs)}"`);
  const whens = new Map<number, Buffer>();
  let slots = 0;
  page.clear();
  page.add(Buffer.from(`{"product_id":${JSON.stringify(product.id)},"date":"${date}","slots":[`));

  return {
    /** What is added next is for parties of this size. */
    forParty(partySize: number): (offer: Offer) => void {
      const deposit = depositText(product, partySize, date);
      const spotsOf = remembered((minutes: number) => {
        const stay = `,"party_size":${partySize},"duration_minutes":${minutes},${durations}`;
        return remembered((total: number) =>
          remembered((open: number) => Buffer.from(`${stay},"spots_total":${total},"spots_open":${open}`)),
        );
      });
      const roomsOf = (type: Offer['type'], requestReason: string | undefined) => {
        const reason = JSON.stringify(requestReason ?? null);
        const terms = `,"type":"${type}","request_reason":${reason},"deposit":${deposit}`;
        return remembered((room: string) => Buffer.from(`${terms}${room}`));
      };
      const book = roomsOf('book', undefined);
      const request = remembered((reason: string | undefined) => roomsOf('request', reason));
      return ({ slot, type, requestReason, spaces }) => {
        const forecast = slot as ForecastSlot;
        const when = whens.getOrInsertComputed(slot.startMs, () => whenOf(forecast));
        const stay = spotsOf(slot.durationMinutes);
        const terms = type === 'request' ? request(requestReason) : book;
        const write = ({ total, open }: Spots, room: string) => {
          // An enquiry is possible whatever is taken, so one spot is shown as open.
          const spots = type === 'request' ? stay(Math.max(total, 1))(1) : stay(total)(open);
          page.add(when);
          page.add(spots);
          page.add(terms(room));
          slots += 1;
        };
        if (product.spaceIds.length === 0) write(forecast.spots, noRoom);
        for (const { space } of spaces) {
          const spots = forecast.spaces.find(({ spaceId }) => spaceId === space.id);
          if (spots) write(spots, rooms.get(space.id) ?? noRoom);
        }
      };
    },

    done(): Pick<Day, 'text' | 'slots'> {
      if (slots === 0) return { slots, text: undefined };
      // Each slot ends with the comma before the next one.
      return { slots, text: page.end(Buffer.from(']}')) };
    },
  };
}

function depositText(product: Channel['product'], partySize: number, date: string): string {
  const deposit = depositFor(product, { adults: partySize, children: 0 }, date);
  return JSON.stringify(
    deposit && { amount: deposit.amount, currency_code: deposit.currency, amount_per: deposit.per },
  );
}

/** Where the text of a day is put together; it grows to the longest day, and is used again for others. */
export interface Page {
  clear(): void;
  add(piece: Buffer): void;
  /** Without its last byte, and with this instead. */
  end(piece: Buffer): Buffer;
}

export function createPage(): Page {
  let bytes = Buffer.allocUnsafe(65_536);
  let length = 0;
  const add = (piece: Buffer) => {
    const needed = length + piece.length;
    if (needed > bytes.length) bytes = Buffer.concat([bytes], 2 * needed);
    bytes.set(piece, length);
    length = needed;
  };
  return {
    clear() {
      length = 0;
    },
    add,
    end(piece) {
      length -= 1;
      add(piece);
      return bytes.subarray(0, length);
    },
  };
}

/** Memoizes a function. */
function remembered<Key, Result>(workOut: (key: Key) => Result): (key: Key) => Result {
  const known = new Map<Key, Result>();
  return (key) => known.getOrInsertComputed(key, workOut);
}
