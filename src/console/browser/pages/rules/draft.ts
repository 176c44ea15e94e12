/** A rule while it is written: everything at once, of which the body takes what belongs to its effect. */
import type { ManagedRule } from '../../../../features/booking-rules/manage/schema.ts';

export type Effect = ManagedRule['effect'];
export type FixedEffect = Exclude<Effect, 'expression'>;
export type Condition = ManagedRule['conditions'][number];
export type Field = Condition['field'];
export type Operator = Condition['operator'];
export type Hook = NonNullable<ManagedRule['hook']>;
type Params = NonNullable<ManagedRule['params']>;

export interface Draft {
  name: string;
  description: string;
  message: string;
  isActive: boolean;
  priority: number | undefined;
  /** Null: all. */
  partnerIds: number[] | null;
  categoryIds: number[] | null;
  venueIds: string[] | null;
  productSlugs: string[] | null;
  items: string[] | null;
  conditions: Condition[];
  effect: Effect;
  params: Params;
  hook: Hook;
  /** JSON, as it is typed. */
  when: string;
  /** What rules call `then`. */
  actions: string;
}

/** What each part of the editor is given. */
export interface DraftFieldsProps {
  operatorId: string;
  draft: Draft;
  set: (changes: Partial<Draft>) => void;
  errorsOf: (field: string) => string[];
}

/** What a new rule begins with, for each effect. */
export const FIRST_PARAMS: Record<FixedEffect, Params> = {
  require_deposit: { amount: 2000, per: 'guest' },
  route_to_enquiry: {},
  party_size_limit: { min: 1, max: 8 },
  booking_window: { action: 'book', minNoticeHours: 24, maxHorizonDays: null },
  require_preorder: { from: 8, kind: 'any' },
  same_package: {},
  suppress_preorder_email: { threshold: 4 },
};

export const EFFECTS = [...Object.keys(FIRST_PARAMS), 'expression'] as Effect[];
export const HOOKS: readonly Hook[] = ['booking.create', 'booking.amend', 'payment'];
const HAS_ITEMS: readonly Effect[] = ['same_package', 'require_preorder'];
export const takesItems = (effect: Effect) => HAS_ITEMS.includes(effect);

/** How a value of each field is entered. */
export const FIELDS: Record<Field, 'number' | 'weekday' | 'time' | 'text'> = {
  partySize: 'number',
  weekday: 'weekday',
  time: 'time',
  daysAhead: 'number',
  duration: 'number',
  category: 'text',
};

export function operatorsOf(field: Field): Operator[] {
  if (field === 'category') return ['eq', 'ne', 'in'];
  if (field === 'weekday') return ['in', 'eq', 'ne'];
  return ['gte', 'lte', 'gt', 'lt', 'eq', 'ne', 'between'];
}

const FIRST_VALUES: Record<Field, string | number> = {
  partySize: 8,
  weekday: 5,
  time: '19:00',
  daysAhead: 7,
  duration: 120,
  category: '',
};

/** The value that fits when the operator becomes another: a list, a pair, or one. */
export function valueFor(field: Field, operator: Operator, before?: Condition['value']): Condition['value'] {
  const known = Array.isArray(before) ? before : before === undefined ? [] : [before];
  const first = known[0] ?? FIRST_VALUES[field];
  if (operator === 'in') return known.length > 0 ? known : [first];
  return operator === 'between' ? [first, known[1] ?? first] : first;
}

export const firstCondition = (field: Field): Condition => {
  const [operator = 'eq'] = operatorsOf(field);
  return { field, operator, value: valueFor(field, operator) };
};

export const newDraft = (): Draft => ({
  name: '',
  description: '',
  message: '',
  isActive: true,
  priority: undefined,
  partnerIds: null,
  categoryIds: null,
  venueIds: null,
  productSlugs: null,
  items: null,
  conditions: [firstCondition('partySize')],
  effect: 'require_deposit',
  params: FIRST_PARAMS.require_deposit,
  hook: 'booking.create',
  when: '{">=": [{"var": "booking.guests"}, 8]}',
  actions: '[{"reject": {"message": "Please call us."}}]',
});

export function draftOf(rule: ManagedRule): Draft {
  const { name, description, message, isActive, priority, conditions, effect } = rule;
  const { partnerIds, categoryIds, venueIds, productSlugs } = rule;
  const fresh = newDraft();
  return {
    name,
    description: description ?? '',
    message: message ?? '',
    isActive,
    priority,
    partnerIds,
    categoryIds,
    venueIds,
    productSlugs,
    items: rule.items ?? null,
    conditions,
    effect,
    params: rule.params ?? {},
    hook: rule.hook ?? fresh.hook,
    when: rule.when === undefined ? fresh.when : JSON.stringify(rule.when, null, 2),
    actions: rule.then === undefined ? fresh.actions : JSON.stringify(rule.then, null, 2),
  };
}

/** An object with such a member written out looks like a promise. */
const THEN = 'then';

/** What is sent. Throws a SyntaxError where an expression is no JSON. */
export function bodyOf(draft: Draft): Record<string, unknown> {
  const { name, isActive, priority, partnerIds, categoryIds, venueIds, productSlugs, conditions, effect } =
    draft;
  const commons = {
    name: name.trim(),
    description: draft.description.trim() || null,
    message: draft.message.trim() || null,
    isActive,
    ...(priority !== undefined && { priority }),
    partnerIds,
    categoryIds,
    venueIds,
    productSlugs,
    conditions,
    effect,
  };
  if (effect === 'expression')
    return { ...commons, hook: draft.hook, when: JSON.parse(draft.when), [THEN]: JSON.parse(draft.actions) };
  return { ...commons, params: draft.params, ...(takesItems(effect) && { items: draft.items }) };
}

/** A rule as it stands, to be sent back with a change. */
export const bodyOfRule = (rule: ManagedRule, changes: Partial<Draft> = {}) =>
  bodyOf({ ...draftOf(rule), ...changes });

/** Moves an entry of a list. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const taken = list.slice(from, from + 1);
  return [...rest.slice(0, to), ...taken, ...rest.slice(to)];
}

/** The slugs in a text, separated by commas; null: it is about all of them. */
export function slugsIn(text: string): string[] | null {
  const slugs = text
    .split(',')
    .map((slug) => slug.trim())
    .filter((slug) => slug !== '');
  return slugs.length > 0 ? [...new Set(slugs)] : null;
}
