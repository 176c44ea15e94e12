/** How summaries look into expressions. What is stored has been checked, but a summary must not fail on anything. */

export type Part = unknown;

export function operatorOf(part: Part): string | undefined {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return undefined;
  return Object.keys(part)[0];
}

/** A single operand may stand without brackets. */
export function operandsOf(part: Part): readonly Part[] {
  const operator = operatorOf(part);
  if (operator === undefined) return [];
  const operands = (part as Record<string, unknown>)[operator];
  return Array.isArray(operands) ? operands : [operands];
}

/** Whether it is a variable, without a default, whose name is like this. */
export function isNamed(part: Part, name: RegExp): boolean {
  const operands = operandsOf(part);
  return operatorOf(part) === 'var' && operands.length === 1 && name.test(String(operands[0]));
}

/** Names of facts stand in `var` and `missing`; what has one about partners must not be put into words. */
export function mentionsPartner(part: Part): boolean {
  if (Array.isArray(part)) return part.some(mentionsPartner);
  const operator = operatorOf(part);
  const isNaming = operator === 'var' || operator === 'missing';
  const operands = operandsOf(part);
  return (isNaming && operands.flat().some(isPartnerName)) || operands.some(mentionsPartner);
}

const isPartnerName = (name: Part) => typeof name === 'string' && /^partner(\.|$)/.test(name);
