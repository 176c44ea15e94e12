/**
 * A partner's developer, who foretells what becomes of a booking from `GET /booking-rules`, the venue and the booking
 * itself. Written from the interface alone: nothing of what the service computes with is used here.
 */
import type { Body } from '../../bookings/support.ts';
import { evaluate, isTruthy, type Value } from './prediction-expression.ts';

export interface Attempt {
  /** A client of the demo data; an agent acts for `demo-partner`. */
  as: string;
  productId: string;
  source: string | null;
  body: Body;
  /** What the live availability says of such a start. */
  offered: 'book' | 'request';
}

export interface Known {
  /** The answer of `GET /booking-rules`. */
  answer: Body;
  venue: Body;
  now: Temporal.Instant;
}

export interface Verdict {
  outcome: 'booking' | 'enquiry' | 'refused';
  code: string | null;
  violations: Body[];
  flags: string[];
  skipsPreorderEmail: boolean;
}

interface Facts {
  [name: string]: Value | undefined;
}

export function predict(attempt: Attempt, known: Known): Verdict {
  const facts = factsOf(attempt, known);
  const concerning = known.answer.rules
    .filter((rule: Body) => concerns(rule, facts, attempt.productId))
    .sort(byPriority);
  const fixed = concerning.filter(({ effect }: Body) => effect !== 'expression');
  const routes = fixed.some(({ effect }: Body) => effect === 'route_to_enquiry');
  const state: State = {
    facts: { ...facts, ...(routes && { 'booking.type': 'request' }) },
    refusals: [],
    flags: [],
  };
  for (const rule of fixed) {
    const code = codeOfBreach(rule, facts, attempt, known.now);
    if (code) state.refusals.push({ code, violation: { ruleId: rule.id } });
  }
  for (const rule of concerning) if (rule.effect === 'expression') apply(rule, state, known);
  return conclude(state, attempt, {
    skipsPreorderEmail: fixed.some(
      ({ effect, params }: Body) =>
        effect === 'suppress_preorder_email' && numberOf(facts, 'booking.guests') < params.threshold,
    ),
  });
}

interface State {
  facts: Facts;
  refusals: { code: string; violation: Body }[];
  flags: string[];
}

function conclude(
  { facts, refusals, flags }: State,
  attempt: Attempt,
  { skipsPreorderEmail }: Pick<Verdict, 'skipsPreorderEmail'>,
): Verdict {
  const refused = (code: string): Verdict => ({
    outcome: 'refused',
    code,
    violations: refusals.map(({ violation }) => violation),
    flags: [],
    skipsPreorderEmail: false,
  });
  if (refusals[0]) return refused(refusals[0].code);
  const isEnquiry = facts['booking.type'] === 'request';
  if (!isEnquiry && attempt.offered === 'request') return refused('AVAIL-N-005');
  return {
    outcome: isEnquiry ? 'enquiry' : 'booking',
    code: null,
    violations: [],
    flags: [...new Set(flags)],
    skipsPreorderEmail,
  };
}

const byPriority = (one: Body, other: Body) =>
  one.priority - other.priority || (one.id < other.id ? -1 : Number(one.id > other.id));

export function factsOf({ productId, body, source }: Attempt, { answer, venue, now }: Known): Facts {
  const product = venue.products.find((each: Body) => each.compositeId === productId);
  const space = product.spaces.find(({ id }: Body) => id === body.spaceId);
  const { date, time } = whenOf(body, venue.timeZone);
  const children = body.children ?? 0;
  const today = now.toZonedDateTimeISO('Europe/London').toPlainDate();
  const slugsOf = (kind: 'packages' | 'menus') =>
    (body.preorders?.[kind] ?? []).map(
      (ordered: Body) =>
        ordered.slug ?? product.preorders[kind].find(({ id }: Body) => id === ordered.id).slug,
    );
  const operatorId = Number(productId.split('|')[0]);
  return {
    'booking.partySize': body.partySize,
    'booking.children': children,
    'booking.guests': body.partySize + children,
    'booking.type': body.type,
    'booking.date': date.toString(),
    'booking.weekday': date.dayOfWeek,
    'booking.time': time,
    'booking.duration': body.duration,
    'booking.source': source ?? 'api',
    'booking.depositAmount': body.depositAmount ?? 0,
    'booking.packages': slugsOf('packages'),
    'booking.menus': slugsOf('menus'),
    'partner.id': answer.caller.partnerId,
    'partner.categoryIds':
      answer.caller.categoryIdsByOperator[operatorId] ?? answer.caller.partnerCategoryIds,
    'product.id': productId,
    'product.name': product.productName,
    'product.slug': product.slug ?? undefined,
    'product.category': product.category?.slug,
    'venue.id': productId.split('|').slice(0, 3).join('|'),
    'venue.operatorId': operatorId,
    'venue.name': venue.name,
    'venue.area': venue.location.area,
    'venue.city': venue.location.city,
    'venue.timeZone': venue.timeZone,
    'space.id': body.spaceId,
    'space.name': space?.spaceName,
    daysAhead: today.until(date, { largestUnit: 'days' }).days,
  };
}

/** None of the venues that are booked here is open past midnight, so that the trading day is the day of the start. */
function whenOf(body: Body, timeZone: string): { date: Temporal.PlainDate; time: string } {
  if (!body.dateTime) return { date: Temporal.PlainDate.from(body.date), time: body.time };
  const start = Temporal.Instant.from(body.dateTime).toZonedDateTimeISO(timeZone);
  return { date: start.toPlainDate(), time: start.toPlainTime().toString().slice(0, 5) };
}

function concerns({ appliesTo, whenApplied }: Body, facts: Facts, productId: string): boolean {
  const venueId = productId.split('|').slice(0, 3).join('|');
  return (
    whenApplied.includes('booking_create') &&
    (appliesTo.allVenues || appliesTo.venues.some(({ id }: Body) => id === venueId)) &&
    (appliesTo.allProducts || appliesTo.products.some(({ slug }: Body) => slug === facts['product.slug'])) &&
    appliesTo.conditions.every((condition: Body) => holds(condition, facts))
  );
}

const FIELDS: Record<string, string> = {
  partySize: 'booking.guests',
  daysAhead: 'daysAhead',
  weekday: 'booking.weekday',
  time: 'booking.time',
  duration: 'booking.duration',
  category: 'product.category',
};

function holds({ field, operator, value }: Body, facts: Facts): boolean {
  const actual = facts[FIELDS[field] ?? ''] as number | string | undefined;
  if (actual === undefined) return false;
  switch (operator) {
    case 'eq':
      return actual === value;
    case 'ne':
      return actual !== value;
    case 'lt':
      return actual < value;
    case 'lte':
      return actual <= value;
    case 'gt':
      return actual > value;
    case 'gte':
      return actual >= value;
    case 'in':
      return value.includes(actual);
    case 'between':
      return isBetween(actual, value[0], value[1]);
    default:
      throw new Error(`The interface has no operator ${operator}.`);
  }
}

function isBetween(actual: number | string, from: number | string, to: number | string): boolean {
  return from <= to ? actual >= from && actual <= to : actual >= from || actual <= to;
}

const numberOf = (facts: Facts, name: string) => facts[name] as number;
const textsOf = (facts: Facts, name: string) => facts[name] as string[];

/** The code with which a fixed effect refuses, if it does. */
function codeOfBreach(
  { effect, params, appliesTo }: Body,
  facts: Facts,
  { body }: Attempt,
  now: Temporal.Instant,
): string | undefined {
  const guests = numberOf(facts, 'booking.guests');
  const isMeant = (slug: string) => appliesTo.items === null || appliesTo.items.includes(slug);
  switch (effect) {
    case 'require_deposit': {
      const needed = params.amount * (params.per === 'guest' ? guests : 1);
      return numberOf(facts, 'booking.depositAmount') < needed ? 'BKRUL-N-001' : undefined;
    }
    case 'same_package': {
      const packages = new Set(textsOf(facts, 'booking.packages').filter(isMeant));
      return packages.size > 1 ? 'BKRUL-N-002' : undefined;
    }
    case 'booking_window':
      return params.action === 'book' ? codeOfWindow(params, facts, startOf(body), now) : undefined;
    case 'party_size_limit':
      return guests < params.min || guests > (params.max ?? Infinity) ? 'BKRUL-N-005' : undefined;
    case 'require_preorder': {
      const ordered = [
        ...(params.kind === 'menu' ? [] : textsOf(facts, 'booking.packages')),
        ...(params.kind === 'package' ? [] : textsOf(facts, 'booking.menus')),
      ];
      return guests >= params.from && !ordered.some(isMeant) ? 'BKRUL-N-006' : undefined;
    }
    default:
      return undefined;
  }
}

function startOf(body: Body): Temporal.Instant {
  if (body.dateTime) return Temporal.Instant.from(body.dateTime);
  return Temporal.PlainDateTime.from(`${body.date}T${body.time}`)
    .toZonedDateTime('Europe/London')
    .toInstant();
}

function codeOfWindow(params: Body, facts: Facts, start: Temporal.Instant, now: Temporal.Instant) {
  const hours = now.until(start).total('hours');
  if (params.minNoticeHours !== null && hours < params.minNoticeHours) return 'AVAIL-N-007';
  const isTooFar = params.maxHorizonDays !== null && numberOf(facts, 'daysAhead') > params.maxHorizonDays;
  return isTooFar ? 'AVAIL-N-008' : undefined;
}

function apply(rule: Body, state: State, { answer }: Known): void {
  const categories = answer.caller.categoryIdsByOperator[rule.operatorId] ?? answer.caller.partnerCategoryIds;
  const facts: Facts = { ...state.facts, 'partner.categoryIds': categories };
  const outcome = evaluate(rule.when, (name) => facts[name]);
  if (outcome === undefined || !isTruthy(outcome)) return;
  const actions: Body[] = rule.then;
  const messages = actions.flatMap(({ reject }) => (reject ? [reject.message] : []));
  if (messages.length > 0) {
    const violation = { ruleId: rule.id, analyticsRuleId: `${rule.id}:1`, rejectMessages: messages };
    state.refusals.push({ code: 'BKRUL-N-100', violation });
  }
  for (const { set, flag } of actions) {
    if (set) state.facts[set.fact] = set.value;
    if (flag) state.flags.push(flag.name);
  }
}
