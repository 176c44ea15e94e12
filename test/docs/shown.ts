/** Holds what was printed against what a document shows, where «…» stands for what differs or is left out. */
import assert from 'node:assert/strict';

const ELSE = '…';

export function assertShown(printed: unknown, shown: unknown, at: string): void {
  if (typeof shown === 'string' && shown.includes(ELSE)) assertText(printed, shown, at);
  else if (Array.isArray(shown)) assertList(printed, shown, at);
  else if (isObject(shown)) assertMembers(printed, shown, at);
  else assert.deepEqual(printed, shown, at);
}

function assertMembers(printed: unknown, shown: Record<string, unknown>, at: string): void {
  assert.ok(isObject(printed), `${at} is ${JSON.stringify(printed)}`);
  const { [ELSE]: isOpen, ...members } = shown;
  if (isOpen === undefined) assert.deepEqual(Object.keys(printed).sort(), Object.keys(members).sort(), at);
  for (const [name, value] of Object.entries(members)) assertShown(printed[name], value, `${at}.${name}`);
}

function assertText(printed: unknown, shown: string, at: string): void {
  assert.equal(typeof printed, 'string', at);
  const pattern = shown.split(ELSE).map(RegExp.escape).join('.+');
  assert.match(printed as string, new RegExp(`^${pattern}$`, 's'), at);
}

function assertList(printed: unknown, shown: readonly unknown[], at: string): void {
  assert.ok(Array.isArray(printed), `${at} is no list`);
  const isOpen = shown.at(-1) === ELSE;
  const expected = isOpen ? shown.slice(0, -1) : shown;
  if (!isOpen) assert.equal(printed.length, expected.length, `${at} is as long as it is shown`);
  for (const [index, value] of expected.entries()) assertShown(printed[index], value, `${at}[${index}]`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** For an example of its own: every member that is shown is there, and is of the kind that is shown. */
export function assertAlike(real: unknown, example: unknown, at: string): void {
  if (Array.isArray(example)) {
    assert.ok(Array.isArray(real) && real.length > 0, at);
    for (const each of example) assertAlike(real[0], each, `${at}[]`);
  } else if (isObject(example)) {
    assert.ok(isObject(real), at);
    const names = Object.keys(example).filter((name) => name !== ELSE);
    for (const name of names) assertAlike(real[name], example[name], `${at}.${name}`);
  } else assert.equal(typeof real, typeof example, at);
}
