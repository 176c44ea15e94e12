/**
 * Expressions in plain English. Partners stay unnamed: every condition on a partner becomes «for certain partners».
 */
import type { Scope } from '../expression/shape.ts';
import { type Comparator, type Comparison, predicateOf, quotedValue, sayComparison } from './comparison.ts';
import { isLiteral, isMoney, literal, missingNames, nounOf, variable } from './nouns.ts';
import { enumerate, join, mentionsPartner, operandsOf, operatorOf, type Part } from './words.ts';

export const CERTAIN_PARTNERS = 'the booking is for certain partners';
export const ALWAYS = 'it is any booking';
export const NEVER = 'it is no booking at all';

/** What must be so; several of them, where all must be. */
export function clausesOf(expression: Part): string[] {
  if (operatorOf(expression) === 'and') return choicesLast(operandsOf(expression).flatMap(clausesOf));
  return [grouped(expression, 'facts', 'and')];
}

/** An amount in pence, as a noun in pounds. */
export const amountOf = (expression: Part) => noun(expression, 'facts', true);

const unique = (words: readonly string[]) => [...new Set(words)];

/** What follows «either … or …» would be taken for a part of it. */
const choicesLast = (clauses: readonly string[]) =>
  unique(clauses).sort((a, b) => Number(a.startsWith('either ')) - Number(b.startsWith('either ')));

function clause(part: Part, scope: Scope): string {
  const operands = operandsOf(part);
  const [first, second] = operands;
  const operator = operatorOf(part);
  switch (operator) {
    case 'and':
      return join(choicesLast(operands.map((each) => grouped(each, scope, 'and'))), 'and');
    case 'or':
      return join(unique(operands.map((each) => grouped(each, scope, 'or'))), 'or');
    case '!':
      return negation(first, scope);
    case '!!':
      return clause(first, scope);
    case 'if':
      return choice(operands, scope);
  }
  if (mentionsPartner(part)) return CERTAIN_PARTNERS;
  if (Array.isArray(part)) return part.length > 0 ? ALWAYS : NEVER;
  if (isLiteral(part)) return part ? ALWAYS : NEVER;
  switch (operator) {
    case 'some':
    case 'all':
    case 'none':
      return quantified(operator, first, second, scope);
    case 'in':
      return membership(part, scope, false);
    case 'missing':
      return `${unknowns(part, scope, 'or')} unknown`;
    default:
      return comparisonOf(part, scope, false) ?? presence(part, scope, false);
  }
}

/** Inside another kind of group, a group is set apart so that the words have one meaning. */
function grouped(part: Part, scope: Scope, joint: 'and' | 'or'): string {
  const words = clause(part, scope);
  const operator = operatorOf(part);
  const isGroup =
    (operator === 'and' || operator === 'or') && operator !== joint && operandsOf(part).length > 1;
  if (operator === 'if' && !isPlainChoice(operandsOf(part))) return `(${words})`;
  if (!isGroup) return words;
  return operator === 'or' ? `either ${words}` : `(${words})`;
}

/** Between yes and no, which is no more than its condition. */
const isPlainChoice = ([, ...branches]: readonly Part[]) =>
  branches.length < 3 && branches.every((branch) => typeof branch === 'boolean');

function negation(part: Part, scope: Scope): string {
  const operands = operandsOf(part);
  const [first, second] = operands;
  const operator = operatorOf(part);
  switch (operator) {
    case '!':
      return clause(first, scope);
    case '!!':
      return negation(first, scope);
    case 'and':
    case 'or': {
      const joint = operator === 'and' ? 'or' : 'and';
      const parts = unique(operands.map((each) => negation(each, scope)));
      return parts.length > 1
        ? `${joint === 'or' ? 'either ' : ''}${join(parts, joint)}`
        : (parts[0] ?? ALWAYS);
    }
    case 'if':
      return `it is not so that ${choice(operands, scope)}`;
  }
  if (mentionsPartner(part)) return CERTAIN_PARTNERS;
  if (Array.isArray(part)) return part.length > 0 ? NEVER : ALWAYS;
  if (isLiteral(part)) return part ? NEVER : ALWAYS;
  switch (operator) {
    case 'some':
      return quantified('none', first, second, scope);
    case 'none':
      return quantified('some', first, second, scope);
    case 'all':
      return quantified('not all', first, second, scope);
    case 'in':
      return membership(part, scope, true);
    case 'missing':
      return `${unknowns(part, scope, 'and')} known`;
    default:
      return comparisonOf(part, scope, true) ?? presence(part, scope, true);
  }
}

function unknowns(part: Part, scope: Scope, joint: 'and' | 'or'): string {
  const names = unique(missingNames(part).map((name) => variable(name, scope)));
  return `${enumerate(names, joint)} ${joint === 'and' && names.length > 1 ? 'are' : 'is'}`;
}

function choice(operands: readonly Part[], scope: Scope): string {
  const [condition, then, ...rest] = operands;
  if (operands.length === 1) return clause(condition, scope);
  const otherwise = rest.length === 0 ? false : rest.length === 1 ? rest[0] : undefined;
  const [yes, no] = [clause(condition, scope), negation(condition, scope)];
  if (then === true && otherwise === false) return yes;
  if (then === false && otherwise === true) return no;
  if (otherwise === false) return `${yes} and ${grouped(then, scope, 'and')}`;
  if (then === false && otherwise !== undefined) return `${no} and ${grouped(otherwise, scope, 'and')}`;
  if (then === true && otherwise !== undefined) return `${yes} or ${grouped(otherwise, scope, 'or')}`;
  return `if ${yes}, ${clause(then, scope)}, and otherwise ${choice(rest, scope)}`;
}

const COMPARATORS: Record<string, [comparator: Comparator, opposite: Comparator, turned: Comparator]> = {
  '==': ['eq', 'ne', 'eq'],
  '===': ['eq', 'ne', 'eq'],
  '!=': ['ne', 'eq', 'ne'],
  '!==': ['ne', 'eq', 'ne'],
  '<': ['lt', 'gte', 'gt'],
  '<=': ['lte', 'gt', 'gte'],
  '>': ['gt', 'lte', 'lt'],
  '>=': ['gte', 'lt', 'lte'],
};

const OPPOSITES: Partial<Record<Comparator, Comparator>> = { gt: 'lte', lt: 'gte', gte: 'lt', lte: 'gt' };

function comparisonOf(part: Part, scope: Scope, isNegated: boolean): string | undefined {
  const [comparator, opposite, turned] = COMPARATORS[operatorOf(part) ?? ''] ?? [];
  if (!comparator || !opposite || !turned) return undefined;
  const operands = operandsOf(part);
  const [first, second] = operands;
  if (operands.length > 2) return interval(operands, comparator, scope, isNegated);
  if (typeof second === 'boolean' || typeof first === 'boolean') return verdict(part, scope, isNegated);
  if (isLiteral(first) && !isLiteral(second))
    return compared(second, isNegated ? (OPPOSITES[turned] ?? opposite) : turned, [first], scope);
  return compared(first, isNegated ? opposite : comparator, [second], scope);
}

/** Something that holds or does not, compared with `true` or `false`. */
function verdict(part: Part, scope: Scope, isNegated: boolean): string {
  const [first, second] = operandsOf(part);
  const [subject, value] = typeof second === 'boolean' ? [first, second] : [second, first];
  const isEqual = /^===?$/.test(operatorOf(part) ?? '');
  if (!isEqual && !/^!==?$/.test(operatorOf(part) ?? '')) return compared(subject, 'eq', [value], scope);
  return (value === isEqual) !== isNegated ? clause(subject, scope) : negation(subject, scope);
}

/** Three operands: the one in the middle lies between the others. */
function interval(
  operands: readonly Part[],
  comparator: Comparator,
  scope: Scope,
  isNegated: boolean,
): string {
  const [first, middle, last] = operands;
  const isDown = comparator === 'gt' || comparator === 'gte';
  const bounds = isDown ? [last, first] : [first, last];
  if (comparator === 'lte' || comparator === 'gte')
    return compared(middle, isNegated ? 'notBetween' : 'between', bounds, scope);
  const [low, high] = bounds;
  return isNegated
    ? `either ${compared(middle, 'lte', [low], scope)} or ${compared(middle, 'gte', [high], scope)}`
    : `${compared(middle, 'gt', [low], scope)} and ${compared(middle, 'lt', [high], scope)}`;
}

/** With the words that the fact has for it, where what it is compared with is fixed. */
function compared(subject: Part, comparator: Comparator, others: readonly Part[], scope: Scope): string {
  const values = others.filter((each) => typeof each === 'string' || typeof each === 'number');
  const name = String(operandsOf(subject)[0]);
  const isFact = operatorOf(subject) === 'var' && operandsOf(subject).length === 1 && scope === 'facts';
  const isFixed = values.length === others.length;
  const said =
    isFact && isFixed ? sayComparison(name, { comparator, values } satisfies Comparison) : undefined;
  if (said !== undefined) return said;
  const inPounds = isMoney(subject, scope) || others.some((each) => isMoney(each, scope));
  return `${noun(subject, scope, inPounds)} ${predicateOf(
    comparator,
    others.map((each) => noun(each, scope, inPounds)),
  )}`;
}

const ORDERED: Record<string, string> = { 'booking.packages': 'the package', 'booking.menus': 'the menu' };

/** In a list, or a text within a text. */
function membership(part: Part, scope: Scope, isNegated: boolean): string {
  const [member, holder] = operandsOf(part);
  if (Array.isArray(holder)) {
    if (holder.length === 0) return isNegated ? ALWAYS : NEVER;
    return compared(member, isNegated ? 'notIn' : 'in', holder, scope);
  }
  const not = isNegated ? ' not' : '';
  const fact = operatorOf(holder) === 'var' ? String(operandsOf(holder)[0]) : '';
  const kind = scope === 'facts' && Object.hasOwn(ORDERED, fact) ? ORDERED[fact] : undefined;
  if (kind && typeof member === 'string') return `${kind} ${quotedValue(member)} is${not} ordered`;
  return `${noun(member, scope)} is${not} in ${noun(holder, scope)}`;
}

const QUANTIFIERS = {
  some: 'at least one of',
  all: 'each of',
  none: 'none of',
  'not all': 'not each of',
};

function quantified(quantifier: keyof typeof QUANTIFIERS, list: Part, body: Part, scope: Scope): string {
  const subject = `${QUANTIFIERS[quantifier]} ${noun(list, scope)}`;
  const words = clause(body, 'element');
  // A body about the entry itself begins with «it», and goes on as what is said of the whole.
  return /^it is /.test(words) && !/ (it|its|and|or) .*\b(it|its)\b/.test(words) && !isConstant(body)
    ? `${subject} ${words.slice(3)}`
    : `for ${subject} ${words}`;
}

const isConstant = (part: Part) => isLiteral(part) || Array.isArray(part);

/** Things that are taken for true: something that is there and is neither nought nor empty. */
function presence(part: Part, scope: Scope, isNegated: boolean): string {
  const name = operatorOf(part) === 'var' ? String(operandsOf(part)[0]) : '';
  const ordered = scope === 'facts' && Object.hasOwn(ORDERED, name) ? ORDERED[name]?.slice(4) : undefined;
  if (ordered) return isNegated ? `no ${ordered} is ordered` : `a ${ordered} is ordered`;
  return `${noun(part, scope)} is ${isNegated ? '' : 'not '}zero or empty`;
}

function noun(part: Part, scope: Scope, inPounds = false): string {
  if (mentionsPartner(part)) return 'something that depends on the partner';
  if (isLiteral(part)) return literal(part, inPounds);
  if (Array.isArray(part))
    return enumerate(
      part.map((each) => noun(each, scope, inPounds)),
      'and',
    );
  const isVerdict = VERDICTS.has(operatorOf(part) ?? '');
  const words = nounOf(part, scope, inPounds, { noun, clause });
  return words ?? (isVerdict ? `whether ${clause(part, scope)}` : 'something');
}

/** Operators that say whether something is so. */
const VERDICTS = new Set([...Object.keys(COMPARATORS), '!', '!!', 'and', 'or', 'in', 'some', 'all', 'none']);
