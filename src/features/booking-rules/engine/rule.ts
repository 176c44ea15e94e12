/**
 * What an operator demands of bookings. A rule states its targets and its effect: one of seven fixed effects with
 * parameters, or an expression with actions.
 */
import type { VenueId } from '../../../kernel/ids.ts';

export const OPERATIONS = ['booking_create', 'booking_amend', 'booking_payment', 'booking_cancel'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const HOOKS = ['booking.create', 'booking.amend', 'payment'] as const;
export type Hook = (typeof HOOKS)[number];

const OPERATION_OF_HOOK: Record<Hook, Operation> = {
  'booking.create': 'booking_create',
  'booking.amend': 'booking_amend',
  payment: 'booking_payment',
};

/** The parameters of each fixed effect, complete: what an operator leaves out is filled in when the rule is stored. */
export interface EffectParams {
  route_to_enquiry: Record<string, never>;
  /** Pence. */
  require_deposit: { amount: number; per: 'booking' | 'guest' };
  same_package: Record<string, never>;
  /** At least one of the bounds is there. */
  booking_window: {
    action: 'book' | 'amend' | 'cancel';
    minNoticeHours: number | null;
    maxHorizonDays: number | null;
  };
  party_size_limit: { min: number; max: number | null };
  require_preorder: { from: number; kind: 'package' | 'menu' | 'any' };
  suppress_preorder_email: { threshold: number };
}

export type FixedEffect = keyof EffectParams;
export const FIXED_EFFECTS = [
  'route_to_enquiry',
  'require_deposit',
  'same_package',
  'booking_window',
  'party_size_limit',
  'require_preorder',
  'suppress_preorder_email',
] as const satisfies readonly FixedEffect[];

export const EFFECTS = [...FIXED_EFFECTS, 'expression'] as const;
export type Effect = (typeof EFFECTS)[number];

export const CONDITION_FIELDS = [
  'partySize',
  'daysAhead',
  'weekday',
  'time',
  'duration',
  'category',
] as const;
export const CONDITION_OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'between'] as const;
type Scalar = string | number;

/**
 * `time` is compared as `HH:MM`, and `category` is the slug of the product's category; all others are whole numbers.
 * The party counts children too. Both ends of `between` belong to it; a `time` from late to early goes over midnight.
 */
export interface Condition {
  field: (typeof CONDITION_FIELDS)[number];
  operator: (typeof CONDITION_OPERATORS)[number];
  /** A list for `in`, a pair for `between`. */
  value: Scalar | Scalar[];
}

/** JsonLogic within our limits; see `expression/limits.ts`. */
export type Expression = unknown;

export type Action =
  | { set: { fact: string; value: Expression } }
  | { reject: { message: string } }
  | { flag: { name: string } };

/** Null: all of them. An empty list: none, which remains when everything it named has been deleted. */
interface Targeting {
  /** The partners it targets; both null: all. A match in either list is enough. */
  partnerIds: number[] | null;
  categoryIds: number[] | null;
  venueIds: VenueId[] | null;
  productSlugs: string[] | null;
  conditions: Condition[];
  /** Slugs of packages or menus, for effects that are about them. */
  items: string[] | null;
}

/** All partners, venues and products. */
export const EVERYWHERE: Targeting = {
  partnerIds: null,
  categoryIds: null,
  venueIds: null,
  productSlugs: null,
  conditions: [],
  items: null,
};

interface RuleCommons extends Targeting {
  id: string;
  operatorId: number;
  /** One more with every change of the rule. */
  version: number;
  /** False: switched off. It stays in the list and does nothing. */
  isActive: boolean;
  /** The lower ones come first; equal ones in the order of their ids. */
  priority: number;
  name: string;
  description: string | null;
  /** What guests may read when the rule refuses. */
  message: string | null;
}

export type FixedRule = {
  [Fixed in FixedEffect]: RuleCommons & { effect: Fixed; params: EffectParams[Fixed] };
}[FixedEffect];

export interface ExpressionRule extends RuleCommons {
  effect: 'expression';
  hook: Hook;
  /** As the operator has written them. */
  when: Expression;
  then: Action[];
}

export type Rule = FixedRule | ExpressionRule;

/** Which operations a rule takes part in. */
export function operationsOf(rule: Rule): Operation[] {
  switch (rule.effect) {
    case 'expression':
      return [OPERATION_OF_HOOK[rule.hook]];
    case 'booking_window':
      return [WINDOW_OPERATIONS[rule.params.action]];
    case 'require_deposit':
    case 'suppress_preorder_email':
      return ['booking_create'];
    case 'route_to_enquiry':
    case 'same_package':
    case 'party_size_limit':
    case 'require_preorder':
      return ['booking_create', 'booking_amend'];
  }
}

const WINDOW_OPERATIONS = {
  book: 'booking_create',
  amend: 'booking_amend',
  cancel: 'booking_cancel',
} as const satisfies Record<EffectParams['booking_window']['action'], Operation>;

/** The order in which rules are carried out: expressions see what fixed effects have made of a booking. */
export function byPrecedence(a: Rule, b: Rule): number {
  const rank = ({ effect }: Rule) => (effect === 'expression' ? 1 : 0);
  return rank(a) - rank(b) || a.priority - b.priority || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
