import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { verifyWebhook } from '@maitred/client';
import type { TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { answer, type Receiver, startReceiver } from '../../support/peers/receiver.ts';
import { createHome, type Home, inDays, interrupt, linesOf, SOHO_DINNER, startListening } from './support.ts';

let maitred: TestApp;
let address: string;
let receiver: Receiver;
const home = createHome({ after });
before(async () => {
  ({ maitred, address } = await startListening());
  receiver = await startReceiver();
  await home.login('default', 'demo-partner', address);
  await home.login('operator', 'demo-operator', address);
});
after(async () => {
  await receiver.close();
  await maitred.close();
});

const started = new Set<ReturnType<Home['start']>>();
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
  receiver.received.length = 0;
  receiver.behave(answer(204));
});

/** Listens, and is at the end of the log when it returns. */
async function listening(args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = home.start(['listen', ...args], env);
  started.add(child);
  const said = linesOf(child);
  await eventually(() => said.stderr().includes('Ctrl-C ends it'));
  return { child, ...said };
}

const SLOT = ['--date', inDays(9), '--time', '19:30'];
/** Each on a day of its own, so that the house is never full. */
let days = 9;
function book(name: string) {
  days += 1;
  return home.json('book', SOHO_DINNER, '--date', inDays(days), '--time', '19:30', '--name', name);
}

test('five commands lead from nothing to a booked table and a received webhook', async (t) => {
  const fresh = createHome(t);
  await fresh.login('default', 'demo-partner', address);
  const secret = (await fresh.print('listen', '--print-secret')).trim();
  const child = fresh.start(['listen', '--forward', `${receiver.url}/hooks`]);
  started.add(child);
  const said = linesOf(child);
  await eventually(() => said.stderr().includes(`Signing secret: ${secret}\n`));
  await fresh.print('availability', SOHO_DINNER, ...SLOT);
  const booking = await fresh.json('book', SOHO_DINNER, ...SLOT, '--name', 'Ada Lovelace');
  await eventually(() => receiver.received.length === 1);
  const [post] = receiver.received;
  assert.ok(post);
  const event = await verifyWebhook({
    headers: post.headers as Record<string, string>,
    body: post.body,
    secrets: secret,
  });
  assert.ok(event.eventType === 'booking.updated');
  assert.deepEqual([event.bookings[0]?.id, event.bookings[0]?.status], [booking.id, 'confirmed']);
  assert.equal(event.isTest, false);
  assert.equal(await interrupt(child), 130);
});

test('what is posted is what the service posts: the same headers and the same bytes', async () => {
  await listening(['--forward', `${receiver.url}/listener`]);
  const { id } = await book('Grace Hopper');
  await eventually(() => receiver.received.length === 1);
  const [post] = receiver.received;
  const [logged] = await maitred.sql<{ id: string; body: Buffer }[]>`
    select id, body from event where booking_id = ${id}
  `;
  const { body } = (await maitred.call(`/webhooks/events?eventId=${logged?.id}`)).json.data[0];
  assert.equal(post?.body.toString(), JSON.stringify(body));
  assert.equal(post?.headers['webhook-id'], logged?.id);
  const names = [
    'content-type',
    'user-agent',
    'x-api-key',
    'x-webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ];
  for (const name of names) assert.ok(post?.headers[name], name);
  assert.equal(post?.headers['x-webhook-test'], undefined);
  const { webhookId } = await home.json('listen', '--print-secret');
  assert.equal(post?.headers['x-webhook-id'], webhookId);
});

test('a receiver that fails is tried again, later events wait, and one that it never takes is skipped', async () => {
  let failures = 2;
  receiver.behave((response, { body }) => {
    const isBad = body.includes('Badly');
    const status = isBad || failures-- > 0 ? 500 : 204;
    response.writeHead(status).end();
  });
  const { stdout, stderr } = await listening(['--forward', receiver.url]);
  const first = await book('First Guest');
  const bad = await book('Guest Badly');
  const last = await book('Last Guest');
  await eventually(() => receiver.received.some(({ body }) => body.includes(last.id)));
  const order = receiver.received.map(({ body }) => JSON.parse(body.toString()).bookings[0].id);
  assert.deepEqual(order, [...Array(3).fill(first.id), ...Array(5).fill(bad.id), last.id]);
  assert.match(stderr(), /500 after \d+ ms, attempt 1; again in 0\.5 s/);
  assert.match(stderr(), /attempt 5; skipped/);
  assert.ok(stdout().some((line) => line.includes('→ 204')));
});

test('events are not missed where the clock of this machine is ahead', async () => {
  const ahead = 'data:text/javascript,const%20now=Date.now;Date.now=()=>now()+36e5';
  const { stdout } = await listening(['--json'], { NODE_OPTIONS: `--import=${ahead}` });
  const { id } = await book('Early Guest');
  await eventually(() => stdout().some((line) => line.includes(id)));
});

test('a receiver that is down is named', async () => {
  const nobody = net.createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const { port } = nobody.address() as AddressInfo;
  nobody.close();
  const { stderr } = await listening(['--forward', `127.0.0.1:${port}/x`]);
  await book('Nobody Home');
  await eventually(() => stderr().includes('ECONNREFUSED, attempt 2'));
});

test('it keeps its place while the service is away', async (t) => {
  const gate = await startGate(new URL(address));
  t.after(() => gate.close());
  const env = {
    MAITRED_URL: gate.url,
    MAITRED_CLIENT_ID: 'demo-partner',
    MAITRED_CLIENT_SECRET: 'demo-partner-secret',
  };
  const { stdout, stderr } = await listening(['--json'], env);
  const before = await book('Before Outage');
  await eventually(() => stdout().length === 1);
  gate.shut();
  const during = await book('During Outage');
  await eventually(() => stderr().includes('The service does not answer'));
  await gate.open();
  const later = await book('After Outage');
  await eventually(() => stdout().length === 3);
  const seen = stdout().map((line) => JSON.parse(line).bookingId);
  assert.deepEqual(seen, [before.id, during.id, later.id]);
});

test('it begins now, at a moment or after an event, and shows the types that are asked for', async () => {
  const past = await book('Past Guest');
  const [{ id } = { id: '' }] = await maitred.sql<
    { id: string }[]
  >`select id from event where booking_id = ${past.id}`;
  const next = await book('Next Guest');
  const after = await listening(['--after', id, '--json']);
  const since = await listening(['--since', '1h', '--json']);
  const messages = await listening(['--since', '1h', '--events', 'message.received,venue.updated', '--json']);
  await home.print('trigger', 'message.received', '--booking', next.id);
  await eventually(() => messages.stdout().length === 1 && after.stdout().length === 2);
  assert.deepEqual(
    after.stdout().map((line) => JSON.parse(line).bookingId),
    [next.id, next.id],
  );
  assert.ok(since.stdout().some((line) => JSON.parse(line).bookingId === past.id));
  const wrong = await home.run(['listen', '--events', 'booking.lost']);
  assert.deepEqual([wrong.code, /no event booking\.lost/.test(wrong.stderr)], [2, true]);
  assert.equal((await home.run(['listen', '--forward', 'ftp://x'])).code, 2);
  assert.equal((await home.run(['listen', '--since', 'once'])).code, 2);
});

test('an event whose guest was forgotten is shown and not posted, as with a replay', async () => {
  const { id } = await book('Forgotten Guest');
  const [event] = await maitred.sql<{ id: string }[]>`
    update event set body = null where booking_id = ${id} returning id
  `;
  const [{ previous } = { previous: '' }] = await maitred.sql<{ previous: string }[]>`
    select id as previous from event where id <> ${event?.id ?? ''} order by id desc limit 1
  `;
  const { stderr } = await listening(['--forward', receiver.url, '--after', previous]);
  const later = await book('Later Guest');
  await eventually(() => receiver.received.length > 0);
  assert.equal(JSON.parse(String(receiver.received[0]?.body)).bookings[0].id, later.id);
  assert.match(stderr(), new RegExp(`${event?.id}: not posted, its guest was forgotten`));
});

test('every trigger makes its event happen', async () => {
  const { stdout } = await listening([
    ...['--events', 'booking.updated,message.received,waitlist.offered,hold.expired'],
    '--json',
  ]);
  const events = () => stdout().map((line) => JSON.parse(line));
  const listed: { name: string }[] = await home.json('trigger', '--list');
  const statuses = {
    'booking.confirmed': 'confirmed',
    'booking.enquiry': 'pending',
    'booking.amended': 'confirmed',
    'booking.cancelled': 'cancelled',
    'booking.accepted': 'confirmed',
    'booking.rejected': 'cancelled',
    'booking.cancelled-by-venue': 'cancelled',
  };
  const others = ['message.received', 'hold.expired', 'waitlist.offered', 'webhook.ping'];
  assert.deepEqual(listed.map(({ name }) => name).sort(), [...Object.keys(statuses), ...others].sort());
  for (const [name, status] of Object.entries(statuses)) {
    const { bookingId, eventType } = await home.json('trigger', name);
    assert.equal(eventType, 'booking.updated');
    await eventually(() =>
      events().some((event) => event.bookingId === bookingId && event.body.bookings[0].status === status),
    );
  }
  for (const name of ['message.received', 'waitlist.offered', 'hold.expired'])
    await home.print('trigger', name);
  await eventually(async () => {
    await maitred.services.bookings.sweepHolds();
    return others.slice(0, 3).every((type) => events().some(({ eventType }) => eventType === type));
  });
  assert.match(
    await home.print('trigger', 'webhook.ping'),
    /^webhook\.ping {2}0 of 0 subscriptions took it\n/,
  );
});

test('a trigger takes a booking, a product and a day that it is given', async () => {
  const { id } = await book('Given Guest');
  assert.equal((await home.json('trigger', 'booking.cancelled', '--booking', id)).bookingId, id);
  const slot = ['--product', '2|house|night-owl|booth', '--date', inDays(11), '--party', '4'];
  const { bookingId } = await home.json('trigger', 'booking.confirmed', ...slot);
  const made = await home.json('bookings', 'show', bookingId);
  assert.deepEqual([made.compositeId, made.date, made.partySize], ['2|house|night-owl|booth', inDays(11), 4]);
});

test('a trigger of the venue says which login it needs', async (t) => {
  const fresh = createHome(t);
  await fresh.login('default', 'demo-partner', address);
  const { code, stderr } = await fresh.run(['trigger', 'booking.accepted']);
  assert.equal(code, 3);
  assert.ok(
    stderr.includes(`maitred login --profile operator --url ${address} --client-id demo-operator`),
    stderr,
  );
  const unknown = await fresh.run(['trigger', 'booking.lost']);
  assert.deepEqual([unknown.code, /no event booking\.lost/.test(unknown.stderr)], [2, true]);
});

test('outside of a sandbox nothing is triggered', async (t) => {
  for (const environment of ['live', 'staging'] as const) {
    const other = await startListening({ config: { environment } });
    t.after(() => other.maitred.close());
    const fresh = createHome(t);
    await fresh.login('default', 'demo-partner', other.address);
    const { code, stderr } = await fresh.run(['trigger', 'booking.confirmed']);
    assert.deepEqual([code, /This is no sandbox/.test(stderr)], [1, true], stderr);
    assert.deepEqual(await fresh.json('bookings', '--from', inDays(5)), []);
  }
});

/** Stands in front of the service, and can be shut. */
async function startGate(target: URL) {
  const sockets = new Set<Socket>();
  const create = () =>
    net.createServer((socket) => {
      const onward = net.connect(Number(target.port), target.hostname);
      for (const each of [socket, onward]) {
        sockets.add(each);
        each.on('error', () => {}).on('close', () => sockets.delete(each));
      }
      socket.pipe(onward).pipe(socket);
    });
  let server = create().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const shut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    shut,
    close: shut,
    async open() {
      server = create().listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
