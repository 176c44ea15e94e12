import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { COMMANDS } from '../../../clients/cli/src/commands.ts';
import { addDays, readDate, readSince, readTime, todayIn } from '../../../clients/cli/src/dates.ts';
import { jsonOf, printable, tableLines } from '../../../clients/cli/src/output.ts';
import { createConnectServer } from '../../../examples/connect-server/server.ts';
import type { TestApp } from '../../support/app.ts';
import { startFaultyProxy } from '../../support/databases/faulty-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { createHome, inDays, interrupt, linesOf, SOHO_DINNER, startListening } from './support.ts';

let maitred: TestApp;
let address: string;
const home = createHome({ after });
before(async () => {
  ({ maitred, address } = await startListening());
  await home.login('default', 'demo-partner', address);
});
after(() => maitred.close());

const DAY = inDays(9);
const SLOT = ['--date', DAY, '--time', '19:30', '--party', '2'];

test('venues are listed, found and shown', async () => {
  const listed = await home.print('venues', '--city', 'London', '--limit', '3');
  assert.deepEqual([listed.split('\n').length, listed.startsWith('VENUE ')], [5, true]);
  const [found] = await home.json('venues', 'soho', 'grill', '--limit', '1');
  assert.equal(found.id, '1|house|soho-grill');
  const shown = await home.print('venues', 'show', found.id);
  assert.match(shown, /^Soho Grill\n/);
  assert.match(shown, /1\|house\|soho-grill\|dinner +Dinner/);
  assert.equal((await home.json('venues', 'show', found.id)).timeZone, 'Europe/London');
  assert.equal(await home.print('venues', 'zzzzzz', '--city', 'Nowhere'), 'There is no such venue.\n');
  assert.equal((await home.json('venues', '--limit', '120')).length, 47, 'more than a page');
});

test('a table is found, booked, changed and cancelled', async () => {
  const starts = await home.print('availability', SOHO_DINNER, ...SLOT);
  assert.match(starts, new RegExp(`^Dinner, ${DAY}, for 2\n\nTIME +MINUTES +HOW +WHY\n`));
  assert.match(starts, /\n19:30 +90 +book\n/);
  const guest = ['--name', 'Augusta Ada Lovelace', '--email', 'ada@example.com', '--reference', 'cli-1'];
  const shown = await home.print('book', SOHO_DINNER, ...SLOT, ...guest);
  assert.match(shown, /^confirmed {2}Soho Grill, Dinner\n/);
  assert.match(shown, /guest +Augusta Ada Lovelace\n/);
  const [booking] = await home.json('bookings', '--reference', 'cli-1');
  assert.deepEqual([booking.firstName, booking.lastName], ['Augusta Ada', 'Lovelace']);
  const again = await home.run(['book', SOHO_DINNER, ...SLOT, ...guest]);
  assert.equal(again.code, 1, 'one booking for one reference');
  assert.match(again.stderr, /BOOK-N-002, see http/);

  const amended = await home.json(
    'bookings',
    'amend',
    booking.id,
    '--time',
    '8pm',
    '--party',
    '3',
    '--date',
    DAY,
  );
  assert.deepEqual([amended.time, amended.partySize, amended.date], ['20:00', 3, DAY]);
  const table = await home.print('bookings', '--status', 'confirmed', '--from', DAY, '--to', DAY);
  assert.match(table, new RegExp(`${booking.id} +confirmed +${DAY} +20:00 +3 +Augusta Ada Lovelace`));
  assert.equal(await home.print('bookings', 'cancel', booking.id), `Cancelled ${booking.id}.\n`);
  assert.equal((await home.json('bookings', 'show', booking.id)).status, 'cancelled');
  assert.equal(
    (await home.json('bookings', '--status', 'pending,confirmed', '--reference', 'cli-1')).length,
    0,
  );
});

test('a booking whose answer is lost is named, also after Ctrl-C, and what others wrote cannot steer the terminal', async (t) => {
  const proxy = await startFaultyProxy(address);
  t.after(() => proxy.close());
  const behind = createHome(t);
  await behind.login('default', 'demo-partner', proxy.url);
  const book = ['book', SOHO_DINNER, '--date', inDays(10), '--time', '19:30', '--name', 'Ada Lovelace'];
  const isBooking = ({ path }: { path: string }) => path.endsWith('/booking');
  proxy.decide((request) => (isBooking(request) ? { cut: 'after' } : undefined));
  const lost = await behind.run([...book, '--reference', 'lost-1']);
  const said = (id: string) =>
    `It may have been made: maitred bookings --reference ${id}. To try again: --reference ${id}\n`;
  assert.deepEqual([lost.code, lost.stderr.startsWith(said('lost-1'))], [4, true], lost.stderr);
  const [booking] = await behind.json('bookings', '--reference', 'lost-1');
  assert.equal(booking.status, 'confirmed');

  proxy.seen.length = 0;
  proxy.decide((request) => (isBooking(request) ? { hang: true } : undefined));
  const child = behind.start([...book, '--reference', 'lost-2']);
  const { stderr } = linesOf(child);
  await eventually(() => proxy.seen.some(isBooking));
  assert.equal(await interrupt(child), 130);
  assert.equal(stderr(), said('lost-2'));

  proxy.decide(() => undefined);
  const refused = await behind.run([...book, '--reference', 'lost-1']);
  assert.deepEqual([refused.code, /It may have been made/.test(refused.stderr)], [1, false], refused.stderr);

  const steering = '\u001b]0;owned\u0007\u009b2JGrill';
  const venue = await behind.json('venues', 'show', '1|house|soho-grill');
  const starts = await behind.json('availability', SOHO_DINNER, ...SLOT);
  const forged: [string[], object][] = [
    [['venues', 'show', venue.id], { ...venue, name: steering, content: { summary: steering } }],
    [['bookings', 'show', booking.id], { ...booking, venueName: steering, productName: steering }],
    [['availability', SOHO_DINNER, ...SLOT], { ...starts, name: steering }],
    [['availability', SOHO_DINNER, ...SLOT], { ...starts, times: [], noAvailabilityReason: steering }],
  ];
  const headers = { 'content-type': 'application/json' };
  for (const [args, body] of forged) {
    proxy.decide(({ path }) =>
      path.startsWith('/oauth') ? undefined : { answer: { status: 200, headers, body } },
    );
    const shown = await behind.print(...args);
    assert.match(shown, /Grill/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
    assert.doesNotMatch(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/, args.join(' '));
  }
});

test('an enquiry is sent', async () => {
  const enquiry = await home.json('book', SOHO_DINNER, ...SLOT, '--name', 'Ada Lovelace', '--request');
  assert.deepEqual([enquiry.type, enquiry.status], ['request', 'pending']);
});

test('a place is held, kept for longer, booked or given back', async () => {
  const shown = await home.print('holds', 'create', SOHO_DINNER, ...SLOT, '--seconds', '120');
  const [, id = ''] = /hold +(\S+)/.exec(shown) ?? [];
  assert.match(shown, new RegExp(`Book it: maitred book --hold ${id} `));
  assert.equal((await home.json('holds', 'extend', id)).isExtended, true);
  const booking = await home.json('book', '--hold', id, '--name', 'Ada Lovelace');
  assert.deepEqual([booking.status, booking.time, booking.partySize], ['confirmed', '19:30', 2]);
  assert.deepEqual((await home.json('holds', 'show', id)).bookingId, booking.id);
  const other = await home.json('holds', 'create', SOHO_DINNER, ...SLOT);
  assert.equal(await home.print('holds', 'release', other.id), `Released ${other.id}.\n`);
  assert.match(await home.print('holds', 'show', other.id), /^released\n/);
});

test('refusals go to stderr with their page, and each exit code means one thing', async () => {
  const refused = await home.run(['venues', 'show', '3|house|hidden-kitchen']);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(
    refused.stderr,
    /^Venue not mapped to you: .*\n {2}PMAP-N-001, see http\S+\/problems\/PMAP-N-001\n$/,
  );
  const asJson = await home.run(['venues', 'show', '3|house|hidden-kitchen', '--json']);
  assert.equal(JSON.parse(asJson.stderr).code, 'PMAP-N-001');
  const fields = await home.run(['book', SOHO_DINNER, ...SLOT, '--name', 'Ada Lovelace', '--email', 'none']);
  assert.match(fields.stderr, /\n {2}email: must be /);
  const env = { MAITRED_URL: 'http://127.0.0.1:9', MAITRED_CLIENT_ID: 'a', MAITRED_CLIENT_SECRET: 'b' };
  assert.equal((await home.run(['venues'], { env })).code, 4);
  assert.equal((await home.run(['venues', '--profile', 'nobody'])).code, 3);
  assert.equal((await home.run(['venues', '--profile', 'constructor'])).code, 3);
  const usage: [string[], RegExp][] = [
    [['vneues'], /no command «vneues»\. Did you mean `maitred venues`\?/],
    [['bookings', '--stat', 'x'], /no option --stat\. Did you mean --status\?/],
    [['bookings', '--status', 'lost'], /no status lost: use pending/],
    [['trigger', 'constructor'], /no event constructor/],
    [['holds'], /needs one word more: `maitred holds create`/],
    [['venues', 'show'], /VENUE is missing/],
    [['logout', 'now'], /«now» is one argument too many/],
    [['book', SOHO_DINNER, '--name', 'Ada Lovelace'], /--date and --time are needed/],
    [['book', SOHO_DINNER, ...SLOT, '--name', 'Ada'], /first and a last name/],
    [['bookings', 'amend', 'x'], /Say what to change/],
    [['availability', SOHO_DINNER, '--date', 'someday'], /«someday» is no day/],
    [['venues', '--limit', 'many'], /--limit must be a whole number/],
    [['venues', '--limit'], /--limit needs a value/],
    [['help', 'bok'], /Did you mean `maitred help book`\?/],
  ];
  const ran = await Promise.all(
    usage.map(async ([args, said]) => ({ args, said, ...(await home.run(args)) })),
  );
  for (const { args, said, code, stdout, stderr } of ran) {
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, said);
  }
});

test('help shows every command, its options and an example', async () => {
  const overview = await home.print('help');
  for (const { name } of COMMANDS) assert.ok(overview.includes(`\n  ${name}`), name);
  assert.equal(await home.print(), overview);
  assert.match(overview, /Exit codes:\n {4}0 {2}done\n/);
  const help = await home.print('help', 'availability');
  assert.equal(await home.print('availability', '--help'), help);
  assert.match(help, /\n {2}--party COUNT +How many adults/);
  assert.match(help, /\nExamples:\n {2}maitred availability '1\|house\|soho-grill\|dinner'/);
  assert.match(await home.print('help', 'holds'), /maitred holds create.*maitred holds release/s);
  for (const { name, examples, options } of COMMANDS) {
    assert.ok(examples.length > 0, name);
    for (const example of examples)
      for (const [, flag = ''] of example.split('#')[0]?.matchAll(/ --([a-z-]+)/g) ?? [])
        assert.ok(flag in options || ['profile', 'json', 'client-id'].includes(flag), `${name}: --${flag}`);
  }
  const { version } = JSON.parse(readFileSync('clients/cli/package.json', 'utf8'));
  assert.equal(await home.print('--version'), `${version}\n`);
});

test('a shell completes commands, options and profiles', async () => {
  const script = await home.print('completion', 'bash');
  assert.equal(spawnSync('bash', ['-n'], { input: script }).status, 0);
  const complete = (line: string) => {
    const words = line.split(' ');
    const given = words.map((word) => `'${word}'`).join(' ');
    const ask = `maitred() { echo default; }; COMP_WORDS=(${given}); COMP_CWORD=${words.length - 1}; _maitred; echo "\${COMPREPLY[@]}"`;
    return String(spawnSync('bash', ['-c', `${script}\n${ask}`]).stdout)
      .trim()
      .split(' ');
  };
  assert.deepEqual(complete('maitred boo'), ['book', 'bookings']);
  assert.deepEqual(complete('maitred bookings '), ['show', 'amend', 'cancel']);
  assert.ok(complete('maitred bookings amend x --').includes('--party'));
  assert.ok(!complete('maitred bookings show x --').includes('--party'));
  assert.deepEqual(complete('maitred venues --profile '), ['default']);
  assert.deepEqual(complete('maitred bookings --status c'), ['confirmed', 'cancelled', 'completed']);
  assert.deepEqual(complete('maitred --profile default completion '), ['bash', 'zsh']);
  assert.ok(complete('maitred trigger booking.').includes('booking.accepted'));
  const zsh = await home.print('completion', 'zsh');
  assert.match(zsh, /^#compdef maitred\n/);
  if (spawnSync('zsh', ['--version']).status === 0)
    assert.equal(spawnSync('zsh', ['-n'], { input: zsh }).status, 0);
  assert.equal((await home.run(['completion', 'fish'])).code, 2);
});

test('an operator is taken out, checked and brought in', async (t) => {
  await home.login('operator', 'demo-operator', address);
  await home.login('admin', 'demo-admin', address);
  const file = join(home.folder, 'operator.json');
  assert.equal(
    await home.print('export', '1', '-o', file, '--profile', 'operator'),
    `Wrote 3 venues to ${file}.\n`,
  );
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  const document = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual(JSON.parse(await home.print('export', '1', '--profile', 'operator')), document);
  const refused = await home.run(['import', file, '--dry-run', '--profile', 'admin']);
  assert.deepEqual([refused.code, /OPRTR-N-004/.test(refused.stderr)], [1, true], refused.stderr);
  const { id: _, ...rest } = document;
  writeFileSync(file, JSON.stringify({ ...rest, name: 'Lamp & Larder North' }));
  const checked = await home.print('import', file, '--dry-run', '--profile', 'admin');
  assert.match(checked, /^Nothing is wrong; this would come in:\nvenues +3\n/);
  const stdin = readFileSync(file, 'utf8');
  const brought = await home.run(['import', '-', '--profile', 'admin', '--json'], { stdin });
  assert.equal(brought.code, 0, brought.stderr);
  assert.deepEqual([JSON.parse(brought.stdout).isDryRun, JSON.parse(brought.stdout).venues], [false, 3]);
  const proxy = await startFaultyProxy(address);
  t.after(() => proxy.close());
  await home.login('behind', 'demo-admin', proxy.url);
  proxy.decide(({ path }) => (path.startsWith('/manage/imports') ? { cut: 'after' } : undefined));
  const lost = await home.run(['import', '-', '--profile', 'behind'], { stdin });
  assert.deepEqual([lost.code, /^The operator may have come in/.test(lost.stderr)], [4, true], lost.stderr);
  const elsewhere = await home.run(['trigger', 'message.received', '--operator-profile', 'behind']);
  assert.deepEqual([elsewhere.code, /«behind» is for http/.test(elsewhere.stderr)], [2, true]);
  assert.equal((await home.run(['import', '-'], { stdin: '{' })).code, 2);
  assert.equal((await home.run(['export', 'one'])).code, 2);
});

test('a server that speaks connect is checked, with a token that is no argument', async (t) => {
  const server = createConnectServer({ token: 'the-token' });
  t.after(() => server.close());
  const url = await server.listen(0);
  const good = await home.run(['connect-check', url, '--token-stdin', '--json'], { stdin: 'the-token\n' });
  assert.deepEqual([good.code, JSON.parse(good.stdout).findings], [0, []], good.stderr);
  const bad = await home.run(['connect-check', url], { env: { CONNECT_TOKEN: 'another' } });
  assert.deepEqual([bad.code, /^1\. .*answered 401/.test(bad.stdout)], [1, true], bad.stdout);
  assert.equal((await home.run(['connect-check', 'nowhere'])).code, 2);
});

test('a page that stands in place of the service is named', async (t) => {
  const server = createServer((_request, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing here'),
  );
  t.after(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { MAITRED_URL: url, MAITRED_CLIENT_ID: 'a', MAITRED_CLIENT_SECRET: 'b' };
  const { code, stderr } = await home.run(['venues'], { env });
  assert.deepEqual([code, /answered 404/.test(stderr)], [4, true], stderr);
});

test('days are those of the venue, and times those that people type', () => {
  const wednesday = '2026-11-18';
  const days = { today: 0, tomorrow: 1, '+7d': 7, '+2w': 14, friday: 2, wed: 0, Tuesday: 6 };
  for (const [text, count] of Object.entries(days))
    assert.equal(readDate(text, wednesday), addDays(wednesday, count));
  assert.equal(readDate('2028-02-29', wednesday), '2028-02-29');
  for (const text of ['2026-02-30', 'noday', '+d', '']) assert.throws(() => readDate(text, wednesday), text);
  const midnight = Date.parse('2026-11-18T23:30:00Z');
  assert.deepEqual(
    [todayIn('Europe/Paris', midnight), todayIn('America/New_York', midnight)],
    ['2026-11-19', wednesday],
  );
  const times = { '19:30': '19:30', '7:05': '07:05', '7pm': '19:00', '12am': '00:00', '12.15 PM': '12:15' };
  for (const [text, time] of Object.entries(times)) assert.equal(readTime(text), time);
  for (const text of ['25:00', '19:60', '19', '13pm', 'noon']) assert.throws(() => readTime(text), text);
  assert.equal(readSince('10m', midnight), '2026-11-18T23:20:00.000Z');
  assert.throws(() => readSince('long ago', midnight));
});

test('tables fit the terminal, and what others wrote cannot steer it', () => {
  const columns = [
    { title: 'ID', of: ({ id }: { id: number; name: string }) => id, isNumber: true },
    { title: 'NAME', of: ({ name }: { name: string }) => name },
  ];
  const rows = [{ id: 1, name: 'A house with a name that is much too long' }];
  assert.deepEqual(tableLines(rows, columns, 20), ['ID  NAME', ' 1  A house with a …']);
  assert.equal(tableLines(rows, columns, Number.POSITIVE_INFINITY)[1], ` 1  ${rows[0]?.name}`);
  assert.equal(jsonOf('a\u009b2J\u007f'), '"a\\u009b2J\\u007f"');
  assert.equal(printable('\u001b[31mred\u001b]0;title\u0007\r\nnext\u009b2J'), 'red next');
});
