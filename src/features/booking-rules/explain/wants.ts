/** What fixed effects check and demand, so that an explanation can name a value that satisfies them. */
import { MS_PER_HOUR } from '../../../kernel/zone-time.ts';
import type { RuleContext } from '../engine/effects.ts';
import type { EffectParams, FixedRule } from '../engine/rule.ts';
import { isAboutItem } from '../engine/scope.ts';
import { anyOf, counted, DAYS, enumerate, GUESTS, HOURS, ORDERS, pounds, quoted } from '../summary/words.ts';
import { type FactValue, NOTICE } from './facts.ts';

/** What the product has to order ahead, named as the facts name it. */
export interface Offered {
  packages: readonly string[];
  menus: readonly string[];
}

export interface Want {
  fact: string;
  /** Goes on after «the rule». */
  words: string;
  isMet: boolean;
  /** Candidate values of the fact, on either side of the demand. */
  values: readonly FactValue[];
}

/** In the order in which a caller would change them; empty for effects that demand nothing. */
export function wantsOf(rule: FixedRule, ruleContext: RuleContext, offered: Offered): Want[] {
  switch (rule.effect) {
    case 'route_to_enquiry':
      return [];
    case 'require_deposit':
      return deposit(rule.params, ruleContext);
    case 'same_package':
      return [onePackage(rule, ruleContext, offered)];
    case 'booking_window':
      return window(rule.params, ruleContext);
    case 'party_size_limit':
      return [party(rule.params, ruleContext)];
    case 'require_preorder':
      return preorder(rule, ruleContext, offered);
    case 'suppress_preorder_email':
      return [smallParty(rule.params, ruleContext)];
  }
}

/** What a fixed effect looks at besides its conditions. */
export function factsOfEffect(rule: FixedRule): string[] {
  switch (rule.effect) {
    case 'route_to_enquiry':
      return [];
    case 'require_deposit':
      return ['booking.depositAmount', ...(rule.params.per === 'guest' ? ['booking.guests'] : [])];
    case 'same_package':
      return ['booking.packages'];
    case 'booking_window': {
      const { minNoticeHours, maxHorizonDays } = rule.params;
      return [
        ...(minNoticeHours === null ? [] : [NOTICE]),
        ...(maxHorizonDays === null ? [] : ['daysAhead']),
      ];
    }
    case 'party_size_limit':
    case 'suppress_preorder_email':
      return ['booking.guests'];
    case 'require_preorder':
      return ['booking.guests', ...listsOf(rule.params.kind)];
  }
}

/** Where it is reckoned by guests, it also matters how many they are. */
function deposit({ amount, per }: EffectParams['require_deposit'], { facts }: RuleContext): Want[] {
  const { guests, depositAmount } = facts.booking;
  const due = per === 'guest' ? amount * guests : amount;
  const words = `requires a deposit of at least ${pounds(due)}`;
  const isMet = depositAmount >= due;
  if (per === 'booking') return [{ fact: 'booking.depositAmount', words, isMet, values: [due] }];
  const reckoned = `${words}, ${pounds(amount)} for each guest`;
  return [
    { fact: 'booking.depositAmount', words: reckoned, isMet, values: [due] },
    { fact: 'booking.guests', words: reckoned, isMet, values: [Math.floor(depositAmount / amount)] },
  ];
}

function onePackage(rule: FixedRule, { facts }: RuleContext, offered: Offered): Want {
  const { items } = rule;
  const counts = isAboutItem(rule);
  const ordered = [...new Set(facts.booking.packages)];
  const counted = ordered.filter(counts);
  const without = counted.map((kept) => ordered.filter((slug) => slug === kept || !counts(slug)));
  const more = pairsOf(offered.packages.filter(counts)).map((pair) => [...new Set([...ordered, ...pair])]);
  return {
    fact: 'booking.packages',
    words:
      items === null
        ? 'allows only one package'
        : `allows only one of ${enumerate(items.map(quoted), 'and')}`,
    isMet: counted.length < 2,
    values: [...without, ...more],
  };
}

const pairsOf = (slugs: readonly string[]) =>
  slugs.flatMap((one, index) => slugs.slice(index + 1).map((other) => [one, other]));

type Window = EffectParams['booking_window'];

function window({ minNoticeHours, maxHorizonDays }: Window, { facts, nowMs, startsMs }: RuleContext): Want[] {
  const notice = (hours: number): Want => ({
    fact: NOTICE,
    words: `requires a start at least ${counted(hours, HOURS)} ahead`,
    isMet: startsMs.every((startMs) => startMs - nowMs >= hours * MS_PER_HOUR),
    values: [hours],
  });
  const horizon = (days: number): Want => ({
    fact: 'daysAhead',
    words: `requires a start at most ${counted(days, DAYS)} ahead`,
    isMet: facts.daysAhead <= days,
    values: [days],
  });
  return [
    ...(minNoticeHours === null ? [] : [notice(minNoticeHours)]),
    ...(maxHorizonDays === null ? [] : [horizon(maxHorizonDays)]),
  ];
}

function party({ min, max }: EffectParams['party_size_limit'], { facts }: RuleContext): Want {
  const { guests } = facts.booking;
  return {
    fact: 'booking.guests',
    words: `requires ${max === null ? `at least ${counted(min, GUESTS)}` : `between ${min} and ${counted(max, GUESTS)}`}`,
    isMet: min <= guests && (max === null || guests <= max),
    values: max === null ? [min] : [min, max],
  };
}

function smallParty({ threshold }: EffectParams['suppress_preorder_email'], { facts }: RuleContext): Want {
  return {
    fact: 'booking.guests',
    words: `is for fewer than ${counted(threshold, GUESTS)}`,
    isMet: facts.booking.guests >= threshold,
    values: [threshold],
  };
}

type Preorder = FixedRule & { effect: 'require_preorder' };
type List = 'packages' | 'menus';

const listsOf = (kind: Preorder['params']['kind']): `booking.${List}`[] => [
  ...(kind === 'menu' ? [] : (['booking.packages'] as const)),
  ...(kind === 'package' ? [] : (['booking.menus'] as const)),
];

/** Something is ordered, or the party is small enough to do without. */
function preorder(rule: Preorder, { facts }: RuleContext, offered: Offered): Want[] {
  const { items } = rule;
  const { kind, from } = rule.params;
  const counts = isAboutItem(rule);
  const what = items === null ? ORDERS[kind] : anyOf(items);
  const lists = listsOf(kind).map((fact): Want => {
    const list = fact === 'booking.packages' ? 'packages' : 'menus';
    const ordered = facts.booking[list];
    const more = offered[list].filter(counts).map((slug) => [...ordered, slug]);
    return {
      fact,
      words: `requires ${what} ordered ahead`,
      isMet: ordered.some(counts),
      values: [...more, ordered.filter((slug) => !counts(slug))],
    };
  });
  const fewer: Want = {
    fact: 'booking.guests',
    words: `requires ${what} ordered ahead for ${counted(from, GUESTS)} or more`,
    isMet: facts.booking.guests < from,
    values: [from],
  };
  return [...lists, fewer];
}
