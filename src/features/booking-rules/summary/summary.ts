/** A rule in a sentence or two, made from what it is and not from what its operator has written about it. */

import type { EffectParams, ExpressionRule, FixedRule, Rule } from '../engine/rule.ts';
import type { PartnerScope } from '../engine/scope.ts';
import { sayCondition } from './comparison.ts';
import { ALWAYS, amountOf, CERTAIN_PARTNERS, clausesOf, NEVER } from './expression.ts';
import {
  anyOf,
  capitalised,
  counted,
  DAYS,
  enumerate,
  GUESTS,
  HOURS,
  join,
  ORDERS,
  pounds,
  quoted,
} from './words.ts';

export interface Shown {
  partnerScope: PartnerScope;
  /** How many of its venues the reader sees; those that it does not see are not even counted. */
  venueCount: number;
}

/** A longer sentence would not be read; the expression itself is shown beside it. */
const MAX_LENGTH = 500;

export function summaryOf(rule: Rule, shown: Shown): string {
  const sentence = sentenceOf(rule, shown, fullClauses(rule), false);
  const text = sentence.length > MAX_LENGTH ? sentenceOf(rule, shown, shortClauses(rule), true) : sentence;
  return text + AUDIENCES[shown.partnerScope];
}

const fullClauses = (rule: Rule) => [
  ...rule.conditions.map(sayCondition),
  ...(rule.effect === 'expression' ? clausesOf(rule.when) : partyClauses(rule)),
];

const shortClauses = (rule: Rule) => [
  ...(rule.conditions.length > 0 ? ['all of `conditions` hold'] : []),
  ...(rule.effect === 'expression' ? ['the expression in `when` holds'] : partyClauses(rule)),
];

/** Some effects begin or end with a number of guests. */
function partyClauses(rule: FixedRule): string[] {
  if (rule.effect === 'require_preorder' && rule.params.from > 1)
    return [sayCondition({ field: 'partySize', operator: 'gte', value: rule.params.from })];
  if (rule.effect === 'suppress_preorder_email')
    return [sayCondition({ field: 'partySize', operator: 'lt', value: rule.params.threshold })];
  return [];
}

const AUDIENCES: Record<PartnerScope, string> = {
  all_partners: '',
  you: ' It is meant for you.',
  your_categories: ' It is meant for a category of partners that you are in.',
};

function sentenceOf(rule: Rule, shown: Shown, all: readonly string[], isShort: boolean): string {
  if (all.includes(NEVER)) return 'As it is worded, it concerns no booking.';
  const clauses = all.filter((clause) => clause !== CERTAIN_PARTNERS && clause !== ALWAYS);
  const opening = all.includes(CERTAIN_PARTNERS) ? 'for certain partners, ' : '';
  const booking = `${isScoped(rule) || clauses.length === 0 ? 'a booking' : 'the booking'}${scopeOf(rule, shown)}`;
  const body =
    rule.effect === 'expression'
      ? expressionSentence(rule, booking, clauses, isShort)
      : `${whenAll(clauses)}${fixedSentence(rule, booking)}`;
  return `${capitalised(opening + body)}.`;
}

const whenAll = (clauses: readonly string[]) => (clauses.length > 0 ? `when ${join(clauses, 'and')}, ` : '');

const isScoped = ({ venueIds, productSlugs }: Rule) => venueIds !== null || productSlugs !== null;

function scopeOf({ venueIds, productSlugs }: Rule, { venueCount }: Shown): string {
  const products =
    productSlugs === null ? '' : ` of ${productSlugs.length > 0 ? anyOf(productSlugs) : 'no product'}`;
  const venues = venueCount === 1 ? ' at the venue listed' : ' at one of the venues listed';
  return `${products}${venueIds === null ? '' : venues}`;
}

function fixedSentence(rule: FixedRule, booking: string): string {
  switch (rule.effect) {
    case 'route_to_enquiry':
      return `${booking} becomes an enquiry`;
    case 'require_deposit':
      return `${booking} needs a deposit of at least ${pounds(rule.params.amount)}${rule.params.per === 'guest' ? ' for each guest' : ''}`;
    case 'same_package':
      return rule.items === null
        ? `${booking} can have only one kind of package`
        : `${booking} can have only one of ${enumerate(rule.items.map(quoted), 'and')}`;
    case 'booking_window':
      return windowSentence(rule.params, booking);
    case 'party_size_limit':
      return `${booking} must be for ${sizeOf(rule.params)}`;
    case 'require_preorder':
      return `${booking} needs ${orderOf(rule.params.kind, rule.items)} ordered ahead`;
    case 'suppress_preorder_email':
      return `no e-mail about the pre-order is sent for ${booking}`;
  }
}

function sizeOf({ min, max }: EffectParams['party_size_limit']): string {
  if (max === null) return `at least ${counted(min, GUESTS)}`;
  if (min === max) return `exactly ${counted(max, GUESTS)}`;
  return min > 1 ? `${min} to ${counted(max, GUESTS)}` : `at most ${counted(max, GUESTS)}`;
}

function orderOf(kind: EffectParams['require_preorder']['kind'], items: readonly string[] | null): string {
  if (items === null) return ORDERS[kind];
  const things = { package: 'package ', menu: 'menu ', any: '' };
  return `${kind === 'any' ? '' : 'the '}${things[kind]}${anyOf(items)}`;
}

type Window = EffectParams['booking_window'];

function windowSentence({ action, minNoticeHours, maxHorizonDays }: Window, booking: string): string {
  const bounds = action === 'book' ? MADE : CHANGED;
  const said = [
    ...(minNoticeHours === null ? [] : [bounds.notice(minNoticeHours)]),
    ...(maxHorizonDays === null ? [] : [bounds.horizon(maxHorizonDays)]),
  ];
  return `${booking} ${VERBS[action]} ${join(said, 'and')}${action === 'amend' ? ', by its old time and by its new one' : ''}`;
}

const VERBS = { book: 'must be made', amend: 'can be amended', cancel: 'can be cancelled' };

const MADE = {
  notice: (hours: number) =>
    hours === 0 ? 'before it starts' : `at least ${counted(hours, HOURS)} before it starts`,
  horizon: (days: number) => (days === 0 ? 'on the day itself' : `at most ${counted(days, DAYS)} ahead`),
};

const CHANGED = {
  notice: (hours: number) =>
    hours === 0 ? 'no later than its start' : `no later than ${counted(hours, HOURS)} before it starts`,
  horizon: (days: number) =>
    days === 0 ? 'only on the day itself' : `no earlier than ${counted(days, DAYS)} ahead`,
};

/** Rules about changes and payments begin with what happens. */
function expressionSentence(
  rule: ExpressionRule,
  booking: string,
  clauses: readonly string[],
  isShort: boolean,
): string {
  if (rule.hook === 'booking.create')
    return `${whenAll(clauses)}${booking} ${join(ruleEffectsOf(rule, DEEDS.create), 'and')}`;
  const subject = `a booking${booking.replace(/^(a|the) booking/, '')}`;
  if (rule.hook === 'booking.amend')
    return `${whenAll([`${subject} is amended`, ...clauses])}${join(ruleEffectsOf(rule, DEEDS.amend), 'and')}`;
  const balances = rule.then.flatMap((action) => ('set' in action ? [action.set.value] : []));
  const amount = isShort ? 'what `then` works out' : amountOf(balances.at(-1));
  const ruleEffects = ruleEffectsOf(rule, { ...DEEDS.payment, set: `its balance is ${amount}` });
  return `${whenAll([`${subject} is paid for`, ...clauses])}${ruleEffects.join(', and ')}`;
}

type RuleEffects = Record<'reject' | 'set' | 'flag', string>;

/** Those of a creation go on after the booking. */
const DEEDS = {
  create: { reject: 'is refused', set: 'becomes an enquiry', flag: 'is flagged for the operator' },
  amend: {
    reject: 'the change is refused',
    set: 'it becomes an enquiry',
    flag: 'it is flagged for the operator',
  },
  payment: { reject: 'it is refused', flag: 'it is flagged for the operator' },
};

const ruleEffectsOf = ({ then }: ExpressionRule, words: RuleEffects) =>
  (['reject', 'set', 'flag'] as const)
    .filter((name) => then.some((action) => name in action))
    .map((name) => words[name]);
