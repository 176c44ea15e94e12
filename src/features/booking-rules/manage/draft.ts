/** Turns a rule as an operator sends it into a complete one, or reports all of its faults at once. */
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { explain, type FieldReport, fieldReport } from '../../../http/validation/messages.ts';
import { isStorable, reportUnstorable } from '../../../http/validation/validation.ts';
import { problem } from '../../../kernel/problem.ts';
import { factsOf } from '../engine/fact-list.ts';
import { isPence, WRITABLE } from '../engine/facts.ts';
import {
  type Action,
  type Condition,
  EFFECTS,
  type Effect,
  type EffectParams,
  type ExpressionRule,
  type FixedEffect,
  type Hook,
  type Rule,
} from '../engine/rule.ts';
import { faultsIn, LIMITS } from '../expression/limits.ts';
import {
  AnyShape,
  CATEGORY_OPERATORS,
  ConditionShape,
  MAX_CONDITIONS,
  PARAMS,
  SHAPES,
  valueShape,
} from './draft-schema.ts';

type Unstored<Stored> = Stored extends Rule ? Omit<Stored, 'id' | 'operatorId' | 'version'> : never;
/** All of a rule but what it gets when it is stored. */
export type DraftedRule = Unstored<Rule>;

type Draft = Partial<Record<string, unknown>>;

/** `at`: where the draft is in what was sent. */
export function readDraft(draft: unknown, at = ''): DraftedRule {
  const report = fieldReport();
  // What is nested too deeply is not looked at further: some checks walk the whole value.
  if (isStorable(draft) || reportUnstorable(draft, report)) checkShape(draft, report);
  refuseFaults(report.entries(), at);
  const rule = complete(draft as Draft);
  if (rule.effect === 'expression') checkExpressions(rule);
  return rule;
}

/** Throws when a rule cannot be carried out that could when it was stored, perhaps by an older version of this code. */
export function checkStored(rule: Rule): void {
  const report = fieldReport();
  checkConditions(rule.conditions, report);
  if (rule.effect !== 'expression') fits(PARAMS[rule.effect], rule.params, 'params', report);
  refuseFaults(report.entries());
  if (rule.effect === 'expression') checkExpressions(rule);
}

/** Throws a `VALID-N-001` that names all faults, if there are any. */
export function refuseFaults(faults: [path: string, messages: string[]][], at = ''): void {
  const placed = (path: string) => [at, path].filter((part) => part !== '').join('.') || 'body';
  const named = faults.map(([path, messages]): [string, string[]] => [placed(path), messages]);
  const [first] = named;
  if (!first) return;
  const rest = named.length > 1 ? `, and ${named.length - 1} more in errors` : '';
  throw problem('VALID-N-001', {
    detail: `${first[0]} ${first[1].join(' and ')}${rest}.`,
    errors: Object.fromEntries(named),
  });
}

function fits(schema: TSchema, value: unknown, path: string, report: FieldReport): boolean {
  if (Check(schema, value)) return true;
  explain(schema, value, path, report);
  return false;
}

const isObject = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkShape(draft: unknown, report: FieldReport): void {
  const effect = isObject(draft) ? EFFECTS.find((known) => known === draft.effect) : undefined;
  fits(effect ? SHAPES[effect] : AnyShape, draft, '', report);
  if (!isObject(draft)) return;
  if (Array.isArray(draft.conditions)) checkConditions(draft.conditions, report);
  if (effect && effect !== 'expression') checkParams(effect, draft.params, report);
}

/** A list that is too long is refused as such, whatever else is in it. */
function checkConditions(conditions: readonly unknown[], report: FieldReport): void {
  for (const [index, condition] of conditions.slice(0, MAX_CONDITIONS).entries()) {
    const path = `conditions.${index}`;
    if (fits(ConditionShape, condition, path, report)) checkValue(condition as Compared, path, report);
  }
}

type Compared = Pick<Condition, 'field' | 'operator'> & { value: unknown };

function checkValue(condition: Compared, path: string, report: FieldReport): void {
  const { field, operator, value } = condition;
  if (field === 'category' && !CATEGORY_OPERATORS.includes(operator)) {
    report.add(`${path}.operator`, `must be one of ${CATEGORY_OPERATORS.join(', ')} for a category`);
    return;
  }
  if (!fits(valueShape(condition), value, `${path}.value`, report)) return;
  // From late to early a time goes over midnight.
  if (operator === 'between' && field !== 'time' && isReversed(value as [number, number])) {
    report.add(`${path}.value`, 'must begin with the lower end');
  }
}

const isReversed = ([low, high]: [number, number]) => low > high;

/** What holds between parameters; each by itself is part of the shape. */
function checkParams(effect: FixedEffect, params: unknown, report: FieldReport): void {
  if (!Check(PARAMS[effect], params)) return;
  const { minNoticeHours, maxHorizonDays, min, max } = params as Partial<Record<string, number | null>>;
  if (effect === 'booking_window' && minNoticeHours == null && maxHorizonDays == null) {
    report.add('params', 'must have minNoticeHours or maxHorizonDays');
  }
  if (effect === 'party_size_limit') {
    if (min == null && max == null) report.add('params', 'must have min or max');
    if (min != null && max != null && min > max) report.add('params.max', 'must not be less than min');
  }
}

const DEFAULTS: { [Fixed in FixedEffect]: Partial<EffectParams[Fixed]> } = {
  route_to_enquiry: {},
  require_deposit: { per: 'booking' },
  same_package: {},
  booking_window: { action: 'book', minNoticeHours: null, maxHorizonDays: null },
  party_size_limit: { min: 1, max: null },
  require_preorder: { from: 1, kind: 'any' },
  suppress_preorder_email: {},
};

/** Fills in what may be left out. The draft has the shape of its effect. */
function complete(draft: Draft): DraftedRule {
  const effect = draft.effect as Effect;
  const commons = {
    effect,
    name: draft.name,
    description: draft.description ?? null,
    message: draft.message ?? null,
    isActive: draft.isActive ?? true,
    priority: draft.priority ?? 0,
    partnerIds: draft.partnerIds ?? null,
    categoryIds: draft.categoryIds ?? null,
    venueIds: draft.venueIds ?? null,
    productSlugs: draft.productSlugs ?? null,
    conditions: draft.conditions ?? [],
    items: draft.items ?? null,
  };
  const particulars =
    effect === 'expression'
      ? { hook: draft.hook, when: draft.when, then: draft.then }
      : { params: { ...DEFAULTS[effect], ...(draft.params as object | undefined) } };
  return { ...commons, ...particulars } as DraftedRule;
}

type Written = Pick<ExpressionRule, 'hook' | 'when' | 'then'>;

/** Throws an `OPRUL-N-013` that names the first fault of the condition or of an action, and where it is. */
function checkExpressions({ hook, when, then }: Written): void {
  const [fault] = [
    ...faultsOf(hook, when, 'when'),
    ...then.flatMap((action, index) => faultsOfAction(hook, action, `then.${index}`)),
  ];
  if (fault) throw problem('OPRUL-N-013', { detail: fault });
}

function faultsOf(hook: Hook, expression: unknown, place: string): string[] {
  if (JSON.stringify(expression).length > LIMITS.jsonLength) {
    return [`${place} is longer than ${LIMITS.jsonLength} characters.`];
  }
  const names = new Set<string>(factsOf(hook).map(({ name }) => name));
  return faultsIn(expression, (name) => names.has(name)).map((fault) => `${place}: ${fault}`);
}

function faultsOfAction(hook: Hook, action: Action, place: string): string[] {
  if ('reject' in action) {
    return hook === 'payment' ? [`${place}: a rule about payments cannot refuse anything.`] : [];
  }
  if ('flag' in action) return [];
  const { fact, value } = action.set;
  if (fact !== WRITABLE[hook]) {
    return [`${place}.set.fact: ${hook} rules can write ${WRITABLE[hook]} and nothing else.`];
  }
  return hook === 'payment'
    ? faultsOfBalance(value, `${place}.set.value`)
    : faultsOfType(value, `${place}.set.value`);
}

function faultsOfType(value: unknown, place: string): string[] {
  return value === 'request' ? [] : [`${place}: booking.type can only be set to "request".`];
}

function faultsOfBalance(value: unknown, place: string): string[] {
  const isExpression = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isExpression) return faultsOf('payment', value, place);
  return isPence(value) ? [] : [`${place}: must be whole pence, or an expression that gives them.`];
}
