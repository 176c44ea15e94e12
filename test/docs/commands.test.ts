/** Every block of code in the documents is run, or held against something, or excused with a reason. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import postgres from 'postgres';
import { readConfig } from '../../src/config.ts';
import { tryPort } from '../../src/kernel/network.ts';
import { bannerLines } from '../../src/node.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { repeats } from '../support/repeats.ts';
import { scratchFolder } from '../support/scratch.ts';
import { type Block, blocksOf, DOCUMENTS, isAnswer, isProgram, placeOf, promises, ROOT } from './blocks.ts';
import { EXCUSED } from './excused.ts';
import { type Ran, runSession, variablesOf } from './session.ts';
import { assertAlike, assertShown } from './shown.ts';

const SHOWN_ADDRESS = 'http://127.0.0.1:3000';
const SHOWN_RECEIVER_PORT = '4000';
const SHOWN_SYSTEM_PORT = '4010';
const SHOWN_BACKUP = 'maitred.backup';
const FED_PRODUCT = '1|house|soho-grill|dinner';
const FIRST = 'README.md';
/** What the documents take over from the first steps, and say so. */
const FROM_FIRST_STEPS = ['TOKEN', 'DAY', 'OPERATOR'];

/** As refusals have it, also inside of what is answered with 200. */
const A_PROBLEM = /"code":"[A-Z]+-[NR]-\d{3}","isRetryable"/;

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'There is no curl on this machine.';
const excuseOf = ({ document, text }: Block) =>
  EXCUSED.find((excuse) => excuse.document === document && `${text}\n`.startsWith(excuse.begins));
const isCommand = (block: Block) => (block.language === 'sh' || isProgram(block)) && !excuseOf(block);
const pythonLacks =
  spawnSync('python3', ['-c', 'import requests']).status === 0
    ? false
    : 'There is no python3 with requests on this machine.';
/** As opposed to what is there to be run, and cannot be on this machine. */
const canRun = ({ language }: Block) => language !== 'python' || !pythonLacks;
const isStatement = (block: Block) => block.language === 'sql' && !excuseOf(block);
const allBlocks = DOCUMENTS.flatMap((document) => blocksOf(document));

let maitred: TestApp;
let folder: string;
let address: string;
let working: NodeJS.Timeout;
let receiverPort: number;
let systemPort: number;
let env: Record<string, string>;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maitred-documents-'));
  const port = await tryPort('127.0.0.1', 0);
  receiverPort = await tryPort('127.0.0.1', 0);
  systemPort = await tryPort('127.0.0.1', 0);
  address = `http://127.0.0.1:${port}`;
  const places = { publicUrl: address, feedUrl: `${address}/feed`, dataDir: folder };
  maitred = await startTestApp({ config: { ...places, webhookAllowLoopback: true } });
  await maitred.app.listen({ host: '127.0.0.1', port });
  working = setInterval(() => void maitred.services.systemCatalogue.workDue(), 500);
  env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    DATABASE_URL: maitred.url,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATA_DIR: folder,
    FEED_URL: places.feedUrl,
    // Logins of the command line must not end up among those of the developer.
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  const made = spawnSync(process.execPath, ['scripts/feed.ts', '--product', FED_PRODUCT], { cwd: ROOT, env });
  assert.equal(made.status, 0, String(made.stderr));
});
after(async () => {
  clearInterval(working);
  await maitred.close();
  rmSync(folder, { recursive: true });
});

const SHOWN = new RegExp(
  `${SHOWN_ADDRESS}\\b|(?<=PORT=|127.0.0.1:|port )(?:${SHOWN_RECEIVER_PORT}|${SHOWN_SYSTEM_PORT})\\b|(?<= )${RegExp.escape(SHOWN_BACKUP)}`,
  'g',
);
const relocations = (): Record<string, string> => ({
  [SHOWN_ADDRESS]: address,
  [SHOWN_RECEIVER_PORT]: String(receiverPort),
  [SHOWN_SYSTEM_PORT]: String(systemPort),
  [SHOWN_BACKUP]: join(folder, SHOWN_BACKUP),
});

/** As a reader has it whose node and receiver listen elsewhere; at once, since one may begin like the other. */
const relocated = (text: string) => text.replaceAll(SHOWN, (found) => relocations()[found] ?? found);

function assertWentWell(block: Block, { status, printed, complained }: Ran): void {
  assert.equal(status, 0, `${placeOf(block)}: ${printed}${complained}`);
  assert.doesNotMatch(printed, A_PROBLEM, placeOf(block));
}

function assertAnswer(block: Block, printed: string): void {
  const shown = relocated(block.text);
  const isJson = block.language === 'json';
  assertShown(isJson ? JSON.parse(printed) : printed, isJson ? JSON.parse(shown) : shown, placeOf(block));
}

/** How a reader runs a block: commands as they stand, programs saved as files; packages are found from the folder. */
function commandOf(block: Block, own: string): string {
  const text = relocated(block.text);
  if (block.language === 'sh') return text;
  const file = join(own, `${block.line}.${block.language}`);
  writeFileSync(file, text);
  return block.language === 'python'
    ? `python3 '${file}'`
    : `node --conditions=maitred-source --input-type=module-typescript --eval "$(cat '${file}')"`;
}

async function follow(document: string): Promise<Block[]> {
  const blocks = blocksOf(document);
  const commands = blocks.filter((block) => isCommand(block) && canRun(block));
  const own = join(folder, document.replace('/', '-'));
  mkdirSync(own);
  const known = document === FIRST ? {} : variablesOf(join(folder, FIRST), FROM_FIRST_STEPS);
  const ran = await runSession({
    commands: commands.map((command) => commandOf(command, own)),
    env: { ...env, ...known },
    folder: own,
  });
  for (const [index, command] of commands.entries()) {
    const result = ran[index] as Ran;
    assertWentWell(command, result);
    const answer = blocks.find((block) => block.follows === command && isAnswer(block));
    if (answer) assertAnswer(answer, result.printed);
  }
  return commands;
}

test('the first steps work as they are printed, and answer what is shown', { skip }, async () => {
  const commands = await follow(FIRST);
  assert.ok(commands.length >= 10);
  const [booking] = await maitred.sql`select status, operator_booking_id as number from booking`;
  assert.equal(booking?.status, 'confirmed');
  assert.match(booking?.number, /^H-/);
});

/** Each of its thirty commands starts npm and a program, which takes half a minute. */
const IN_FULL_ONLY = 'docs/cli.md';
const isFollowed = (document: string) =>
  document !== FIRST && (document !== IN_FULL_ONLY || repeats(1, 0) === 1);

for (const document of DOCUMENTS.filter((each) => isFollowed(each) && blocksOf(each).some(isCommand))) {
  test(`the commands of ${document} work as they are printed`, { skip }, async () => {
    await follow(document);
  });
}

test('programs in TypeScript and Python are among them', { skip: pythonLacks }, () => {
  const languages = allBlocks.filter(isCommand).map(({ language }) => language);
  for (const language of ['ts', 'python']) assert.ok(languages.includes(language), language);
});

test('the statements for the database run on it', async (t) => {
  const statements = allBlocks.filter(isStatement);
  assert.ok(statements.length >= 3);
  // Not the program's own connection: what a statement shows need not be something that the program reads.
  const sql = postgres(maitred.url, { max: 1 });
  t.after(() => sql.end());
  for (const block of statements) await sql.unsafe(block.text).simple();
});

test('the example of an event is one that could have been sent', { skip }, async () => {
  const [block] = blocksOf('docs/webhooks.md').filter(
    ({ language, follows }) => language === 'json' && !follows,
  );
  const { data } = (await maitred.call('/webhooks/events?eventType=booking.updated')).json;
  assertAlike(data[0].body, JSON.parse(block?.text ?? ''), 'event');
});

test('the start prints what the README shows', () => {
  const shown = blocksOf(FIRST).find(({ language }) => language === 'text')?.text ?? '';
  const banner = bannerLines(readConfig({}), SHOWN_ADDRESS);
  assert.ok(shown.endsWith(banner.slice(0, banner.indexOf('Try it:') - 1).join('\n')));
});

test('every script and every single test that a document names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const shell = allBlocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  const named = shell.flatMap((text) => [...text.matchAll(/npm run (?:--silent |-s )?([\w:-]+)/g)]);
  assert.ok(named.length >= 3);
  for (const [, script = ''] of named) assert.ok(scripts[script], `npm run ${script}`);
  const [, pattern = '', file = ''] =
    /--test-name-pattern='([^']+)' (\S+)/.exec(shell.join('\n')) ?? assert.fail('no single test is shown');
  assert.ok(existsSync(join(ROOT, file)), file);
  assert.match(readFileSync(join(ROOT, file), 'utf8'), new RegExp(`test\\('[^']*${pattern}`));
});

test('no block is passed over, and nothing is excused that is not there', () => {
  const held = (block: Block) => isCommand(block) || isStatement(block) || isAnswer(block);
  const loose = allBlocks.filter((block) => promises(block) && !held(block) && !excuseOf(block));
  assert.deepEqual(loose.map(placeOf), []);
  const unused = EXCUSED.filter(
    (excuse) => !allBlocks.some((block) => !isAnswer(block) && excuseOf(block) === excuse),
  );
  assert.deepEqual(unused, []);
  for (const language of ['http', 'json', 'ts', '']) {
    const [added] = blocksOf('docs/new.md', `# New\n\n\`\`\`${language}\nsomething\n\`\`\`\n`);
    assert.ok(added && promises(added) && !held(added) && !excuseOf(added), language);
  }
});

test('a command that fails, and an answer that is not the one shown, are noticed', { skip }, async (t) => {
  const [block] = blocksOf('docs/new.md', '```sh\nfalse\n```\n');
  assert.ok(block);
  const commands = [
    `curl -s ${address}/venues`,
    'echo "$NOBODY_SET_IT" | grep .',
    `curl -s ${address}/problems/PMAP-N-001`,
  ];
  const ran = await runSession({ commands, env, folder: scratchFolder(t) });
  for (const result of ran.slice(0, 2)) assert.throws(() => assertWentWell(block, result));
  assert.throws(() => assertShown({ a: 1, b: 2 }, { a: 1 }, 'more than is shown'));
  assert.throws(() => assertShown({ a: [] }, { a: [1, '…'] }, 'less than is shown'));
  assert.throws(() => assertShown({ a: [1, 2] }, { a: [1] }, 'more of them than are shown'));
  assert.throws(() => assertShown({ a: 'x' }, { a: 'y…', '…': '…' }, 'other than is shown'));
  assertShown({ a: 'xyz', b: [1, 2], c: [] }, { a: 'x…', b: [1, '…'], c: ['…'] }, 'as shown');
});
