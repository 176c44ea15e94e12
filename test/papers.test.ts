/** What the papers promise: their commands run, their links lead somewhere, their tables and maps are those of the code. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { readConfig } from '../src/config.ts';
import { startTestApp, type TestApp } from './support/app.ts';

const ROOT = join(import.meta.dirname, '..');
const PAPERS = globSync(['*.md', 'docs/*.md'], { cwd: ROOT });
const README_ADDRESS = 'http://127.0.0.1:3000';

const read = (paper: string) => readFileSync(join(ROOT, paper), 'utf8');
const captures = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

let maitred: TestApp;
let address: string;
before(async () => {
  maitred = await startTestApp();
  address = await maitred.app.listen({ host: '127.0.0.1', port: 0 });
});
after(() => maitred.close());

type Variables = Map<string, string>;

/** The words of a command as a shell takes them apart: quotes, variables in double quotes, lines that go on. */
function wordsOf(command: string, variables: Variables): string[] {
  const words = command.replaceAll('\\\n', ' ').matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g);
  return [...words].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, literal?: string, text?: string) =>
      literal === undefined ? withVariables(text ?? '', variables) : literal,
    ),
  );
}

function withVariables(text: string, variables: Variables): string {
  return text.replaceAll(/\$([A-Z]+)/g, (_, name: string) => {
    const value = variables.get(name);
    assert.ok(value !== undefined, `$${name} is used before it is set`);
    return value;
  });
}

/** A machine with only Node and npm may have no curl, so the few options that the README uses are understood here. */
async function curl([program, ...words]: string[]): Promise<string> {
  assert.equal(program, 'curl');
  const headers = new Headers();
  const form: string[] = [];
  let url = '';
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-s') continue;
    else if (word === '-H') headers.append(...headerOf(words.shift() ?? ''));
    else if (word === '-u') headers.set('authorization', `Basic ${btoa(words.shift() ?? '')}`);
    else if (word === '-d') form.push(words.shift() ?? '');
    else if (word.startsWith(README_ADDRESS) && url === '') url = word.replace(README_ADDRESS, address);
    else assert.fail(`this test does not understand ${word}`);
  }
  const isJson = headers.get('content-type') === 'application/json';
  const body = isJson ? form.join('') : new URLSearchParams(form.join('&'));
  const response = await fetch(url, { headers, ...(form.length > 0 && { method: 'POST', body }) });
  const text = await response.text();
  assert.ok(response.status < 400, `${url} answers ${response.status}: ${text}`);
  return text;
}

function headerOf(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
  return [name, value];
}

/** `sed 's/…/…/'` with groups and one reference, in the syntax of JavaScript. */
function sed(expression: string, text: string): string {
  const [, pattern = '', replacement = ''] = /^s\/(.*)\/(.*)\/$/.exec(expression) ?? [];
  return text.replace(
    new RegExp(pattern.replaceAll(/\\([()])/g, '$1')),
    replacement.replaceAll(/\\(\d)/g, '$$$1'),
  );
}

/** Runs `curl …` or `NAME=$(curl … | sed …)`, after a `NAME=$(node -p …)`, and returns what it prints. */
async function run(lines: string, variables: Variables): Promise<string> {
  const [, noted, expressed] = /^([A-Z]+)=\$\(node -p "(.*)"\)\n/.exec(lines) ?? [];
  if (noted !== undefined) variables.set(noted, String(runInNewContext(expressed ?? '')));
  const command = lines.slice(lines.indexOf('\n', noted === undefined ? lines.length : 0) + 1);
  const [, name, call, expression] = /^([A-Z]+)=\$\((.*?)\|\s*sed '(.*)'\)$/s.exec(command) ?? [];
  if (name === undefined || call === undefined || expression === undefined) {
    return curl(wordsOf(command, variables));
  }
  variables.set(name, sed(expression, await curl(wordsOf(call, variables))));
  return '';
}

const BLOCK =
  /<!-- run by test\/papers\.test\.ts -->\n```sh\n(.*?)\n```\n(?:\n```(json|text)\n(.*?)\n```)?/gs;

test('the first steps of the README work as they are printed, and answer what it shows', async () => {
  const variables: Variables = new Map();
  const blocks = [...read('README.md').matchAll(BLOCK)];
  assert.equal(blocks.length, 10);
  for (const [, command = '', language, shown = ''] of blocks) {
    const printed = await run(command, variables);
    if (language === 'json') assert.deepEqual(JSON.parse(printed), JSON.parse(shown));
    if (language === 'text') assert.equal(printed, shown);
  }
  assert.match(variables.get('TOKEN') ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const [booking] = await maitred.sql`select status, operator_booking_id as number from booking`;
  assert.equal(booking?.status, 'confirmed');
  assert.match(booking?.number, /^H-/);
});

test('a command that a caller could not run is not passed over', async () => {
  const variables: Variables = new Map([['TOKEN', 'wrong']]);
  const venues = `curl -s '${README_ADDRESS}/venues'`;
  await assert.rejects(run(`${venues} -H "Authorization: Bearer $TOKEN"`, variables), /answers 401/);
  await assert.rejects(run(`${venues} -H "Authorization: Bearer $SECRET"`, variables), /before it is set/);
  await assert.rejects(run(`${venues} --compressed`, variables), /does not understand/);
});

/** As GitHub makes them from headings. */
function anchorsOf(paper: string): string[] {
  return captures(read(paper), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link between the papers leads to a file and a heading that exist', () => {
  const links = PAPERS.flatMap((paper) =>
    captures(read(paper), /\]\(([^)\s]+)\)/g)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => ({ paper, target })),
  );
  assert.ok(links.length > 10);
  for (const { paper, target } of links) {
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? paper : join(dirname(paper), file);
    assert.ok(existsSync(join(ROOT, linked)), `${paper} links to ${target}`);
    if (anchor !== undefined) assert.ok(anchorsOf(linked).includes(anchor), `${paper} links to ${target}`);
  }
});

test('the configuration table has every setting that is read, and no other, with its default', () => {
  const settings = new Set<string>();
  const recorder: Record<string, undefined> = new Proxy(
    {},
    { get: (_, name) => void settings.add(String(name)) },
  );
  const defaults = readConfig(recorder);
  const rows = [...read('README.md').matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]+)`|none)/gm)];
  assert.deepEqual(rows.map(([, name]) => name).sort(), [...settings].sort());
  for (const [, name = '', value] of rows) {
    if (value !== undefined) assert.deepEqual(readConfig({ [name]: value }), defaults, `${name}=${value}`);
  }
});

test('every file and folder that the papers name exists', () => {
  const named = PAPERS.flatMap((paper) =>
    captures(read(paper), /`((?:src|test|docs|migrations|scripts|bench)\/[\w./-]*)`/g)
      // The example of a file still to be added.
      .filter((path) => !path.endsWith('_what_it_does.sql'))
      .map((path) => ({ paper, path })),
  );
  assert.ok(named.some(({ paper }) => paper === 'ARCHITECTURE.md'));
  for (const { paper, path } of named) assert.ok(existsSync(join(ROOT, path)), `${paper} names ${path}`);
});
