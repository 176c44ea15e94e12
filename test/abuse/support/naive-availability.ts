/** What availability has to answer, read off the papers: what the book says, cut to what this caller may have. */
import type {
  AvailabilityRuleDocument,
  SpaceDocument,
} from '../../../src/features/venues/transfer/document.ts';
import {
  bandsMet,
  closingFor,
  dayAfter,
  minuteOfClock,
  type NaiveStart,
  ruleCovers,
  shownAt,
  startsOn,
  weekdayOn,
} from './naive-days.ts';
import {
  type Case,
  couldSeat,
  houseView,
  isSpaceFree,
  type Question,
  unitsSeating,
  type World,
  zonesOf,
} from './naive-house.ts';

export interface Verdict {
  date: string;
  dateTime: string;
  duration: number;
  type: string;
  requestReason: string | undefined;
  reasons: string[];
  spaces: { id: number; bands: number[] }[];
}

export type Expected =
  | { code: string }
  | { verdicts: Verdict[]; noAvailabilityCode: string | null; depositTotal: number | null };

const DEFAULT_TURNS = [
  { upTo: 2, minutes: 90 },
  { upTo: 6, minutes: 120 },
  { upTo: 7, minutes: 150 },
];

export function expected(world: World, question: Question): Expected {
  const catalogue = world.venue.products.find(({ key }) => key === question.product);
  const house = world.venue.house?.products.find(({ key }) => key === question.product);
  if (!catalogue || !house) throw new Error(`no product ${question.product}`);
  const guests = question.partySize + question.children;
  const turns = house.turnTimes ?? DEFAULT_TURNS;
  const turn = turns.find(({ upTo }) => guests <= upTo) ?? turns.at(-1);
  const stayMinutes = question.duration ?? turn?.minutes ?? 0;
  const bounds = house.duration ?? { minMinutes: 60, maxMinutes: 240, stepMinutes: 15 };
  const requested = question.duration;
  if (
    requested !== undefined &&
    (requested < bounds.minMinutes ||
      requested > bounds.maxMinutes ||
      (requested - bounds.minMinutes) % bounds.stepMinutes !== 0)
  )
    return { code: 'AVAIL-N-006' };
  const asked: Case = { world, question, catalogue, house, guests, stayMinutes, days: new Map() };
  const starts = startsAsked(asked);
  const verdicts = starts.map((start) => verdictOn(start, asked));
  const firstDay =
    question.date ?? starts[0]?.date ?? shownAt(world.venue.timeZone, question.window?.startMs ?? 0).date;
  return {
    verdicts,
    noAvailabilityCode: verdicts.some(({ reasons }) => reasons.length === 0) ? null : absence(verdicts),
    depositTotal: deposit(asked, firstDay),
  };
}

/** The starts of the days asked about that lie within what was asked. */
function startsAsked(asked: Case): NaiveStart[] {
  const { question, world } = asked;
  const { window } = question;
  if (!window) return startsOfDay(asked, question.date ?? '').filter((start) => isWithinClocks(start, asked));
  const zone = world.venue.timeZone;
  const first = shownAt(zone, window.startMs).date;
  const last = shownAt(zone, window.endMs ?? window.startMs).date;
  const dates: string[] = [];
  for (let date = dayAfter(first, -1); date <= last; date = dayAfter(date, 1)) dates.push(date);
  const days = dates.map((date) =>
    startsOfDay(asked, date).filter(({ startMs }) => startMs >= window.startMs),
  );
  const { endMs } = window;
  const inWindow =
    endMs === undefined
      ? (days.find((starts) => starts.length > 0) ?? [])
      : days.flat().filter(({ startMs }) => startMs <= endMs);
  return inWindow.filter((start) => isWithinClocks(start, asked));
}

function startsOfDay({ world, catalogue, stayMinutes, days }: Case, date: string): NaiveStart[] {
  const { hours, timeIntervalMinutes: interval } = catalogue;
  const starts =
    days.get(date) ?? startsOn({ zone: world.venue.timeZone, hours, interval }, date, stayMinutes);
  days.set(date, starts);
  return starts;
}

function isWithinClocks(start: NaiveStart, asked: Case): boolean {
  const { question, world } = asked;
  const all = startsOfDay(asked, start.date);
  const first = all[0]?.minute ?? 0;
  const tradesUntil = Math.max((all.at(-1)?.minute ?? 0) + 60, closingFor(asked.catalogue.hours, start.date));
  const meant = (clock: string) => {
    const minute = minuteOfClock(clock);
    return minute < first && minute + 1440 <= tradesUntil ? minute + 1440 : minute;
  };
  const { time, startTime, endTime, window } = question;
  if (time !== undefined && Math.abs(start.minute - meant(time)) > 60) return false;
  if (window)
    return (
      endTime === undefined ||
      window.endMs !== undefined ||
      isBefore(endTime, start, window.startMs, world.venue.timeZone)
    );
  const earliest = startTime === undefined ? 0 : meant(startTime);
  const latest = endTime === undefined ? 2880 : meant(endTime);
  return earliest <= start.minute && start.minute <= (latest < earliest ? latest + 1440 : latest);
}

/** Beside an open end, `endTime` is the next time that clocks show it after the window began. */
function isBefore(endTime: string, start: NaiveStart, fromMs: number, zone: string): boolean {
  const from = shownAt(zone, fromMs);
  const minute = minuteOfClock(endTime);
  const date = minute < from.minute ? dayAfter(from.date, 1) : from.date;
  const at = shownAt(zone, start.startMs);
  return `${at.date} ${String(at.minute).padStart(4, '0')}` <= `${date} ${String(minute).padStart(4, '0')}`;
}

function verdictOn(start: NaiveStart, asked: Case): Verdict {
  const { world, question, catalogue, guests, stayMinutes } = asked;
  const zones = zonesOf(asked);
  const units = unitsSeating(asked).filter(({ zoneId }) => zones.includes(zoneId));
  const house = houseView(start, asked, units);
  const { maxPartySize, isRequestOnly = false } = world.channel;
  const bandsIn = (space: SpaceDocument) =>
    bandsMet(space.policies.minimumSpend, start.date, start.minute, stayMinutes);
  const fitting = (world.venue.spaces ?? []).filter(
    (space) =>
      (catalogue.spaceIds ?? []).includes(space.id) &&
      couldSeat(space, asked, units) &&
      isRequested(space, bandsIn(space), question),
  );
  const open = fitting.filter((space) => house.type === 'request' || isSpaceFree(space, start, asked, units));
  const reasons: string[] = [];
  if (house.obstacle !== undefined) reasons.push(house.obstacle);
  if (house.obstacle !== 'PARTY_SIZE' && maxPartySize !== undefined && guests > maxPartySize)
    reasons.push('PARTY_SIZE');
  const needsSpace =
    (catalogue.spaceIds ?? []).length > 0 || requestsOf(question).some((draft) => draft !== undefined);
  if (needsSpace && open.length === 0 && house.obstacle !== 'PARTY_SIZE') {
    if (fitting.length === 0) reasons.push('SPACE_POLICY');
    else if (reasons.length === 0) reasons.push('AVAIL-N-005');
  }
  const { codes, left } = afterRules(start, asked, open);
  const becomesRequest = isRequestOnly && house.type === 'book';
  return {
    date: start.date,
    dateTime: shownAt(world.venue.timeZone, start.startMs).text,
    duration: stayMinutes,
    type: becomesRequest ? 'request' : house.type,
    requestReason: becomesRequest ? 'request_only' : house.requestReason,
    reasons: [...reasons, ...codes],
    spaces: left.map((space) => ({ id: space.id, bands: bandsIn(space) })),
  };
}

const requestsOf = ({ minimumSpend, under18s, accessibility, occasionTypes }: Question) => [
  minimumSpend,
  under18s,
  accessibility,
  occasionTypes,
];

function isRequested(
  { policies }: SpaceDocument,
  bands: number[],
  { minimumSpend, under18s, accessibility, occasionTypes }: Question,
): boolean {
  if (under18s !== undefined && policies.under18s !== under18s) return false;
  if (accessibility !== undefined && policies.accessibility !== accessibility) return false;
  if ((occasionTypes ?? []).some((ruleContext) => !policies.occasionTypes.includes(ruleContext)))
    return false;
  return minimumSpend === undefined || bands.reduce((sum, amount) => sum + amount, 0) <= minimumSpend;
}

const RULE_CODES: Record<string, string> = {
  specific_dates: 'OPRUL-N-001',
  date_range: 'OPRUL-N-002',
  recurring: 'OPRUL-N-003',
};

/** Which codes rules speak against a start, and the spaces they leave. Of several rules any may be named. */
function afterRules(start: NaiveStart, { world, catalogue }: Case, open: SpaceDocument[]) {
  const rules = [...(world.venue.availabilityRules ?? []), ...(catalogue.availabilityRules ?? [])].filter(
    (rule) => isForAsker(rule, world.isChosen) && ruleCovers(rule, start.date, start.minute),
  );
  const general = rules.filter(({ spaceId }) => spaceId === undefined);
  const codes = new Set(
    general.map((rule) =>
      rule.effect === 'reserve' ? 'OPRUL-N-008' : (RULE_CODES[rule.type] ?? 'OPRUL-N-004'),
    ),
  );
  const left = open.filter(({ id }) => !rules.some(({ spaceId }) => spaceId === id));
  const isEmptied = open.length > 0 && left.length === 0;
  return {
    codes: [
      ...(codes.size > 0 ? [[...codes].sort().join(' or ')] : []),
      ...(isEmptied ? ['OPRUL-N-009'] : []),
    ],
    left,
  };
}

/** The asker is demo-partner; `chosen` is the category that it may be in. */
function isForAsker(
  { partners, partnerCategories, effect }: AvailabilityRuleDocument,
  isChosen: boolean,
): boolean {
  if (partners === undefined && partnerCategories === undefined) return true;
  const isNamed =
    partners?.includes('demo-partner') === true ||
    (isChosen && partnerCategories?.includes('chosen') === true);
  return effect === 'reserve' ? !isNamed : isNamed;
}

function absence(verdicts: Verdict[]): string {
  const isRule = (reason: string) => reason.startsWith('OPRUL');
  const every = (reason: string) =>
    verdicts.length > 0 && verdicts.every(({ reasons }) => reasons.includes(reason));
  if (every('PARTY_SIZE') || every('SPACE_POLICY')) return 'NO_ELIGIBLE_PRODUCTS';
  if (verdicts.some(({ reasons }) => reasons.length > 0 && reasons.every(isRule)))
    return 'FILTERED_BY_OPERATOR_RULES';
  if (verdicts.some(({ reasons }) => reasons.includes('AVAIL-N-005'))) return 'FILTERED_BY_CAPACITY';
  return 'NO_AVAILABILITY';
}

function deposit({ catalogue, question, guests }: Case, date: string): number | null {
  for (const rule of catalogue.paymentRules ?? []) {
    if (rule.minPartySize !== null && guests < rule.minPartySize) continue;
    if (rule.maxPartySize !== null && guests > rule.maxPartySize) continue;
    if (rule.weekdays !== null && !(rule.weekdays as number[]).includes(weekdayOn(date))) continue;
    const units = { booking: 1, guest: guests, adult: question.partySize, child: question.children };
    return rule.amount * units[rule.per];
  }
  return null;
}
