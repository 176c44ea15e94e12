/** What becomes of a call that fails: what the model is told of it, and what those who run the service find. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bookingsApp, DINNER, freeDay } from '../../features/bookings/support.ts';
import { callTool, connect } from './support.ts';

const lines: string[] = [];
const app = bookingsApp({
  config: { logLevel: 'info' },
  deps: { logStream: { write: (line: string) => void lines.push(line) } },
});
const logged = (msg: string) => lines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg);

/** Every new booking does this in the database until the work is done. */
async function whileBookingDoes<Result>(statement: string, work: () => Promise<Result>): Promise<Result> {
  const { sql } = app();
  await sql.unsafe(`
    create function mishap() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$;
    create trigger mishap before insert on booking for each row execute function mishap()`);
  try {
    return await work();
  } finally {
    await sql.unsafe('drop trigger mishap on booking; drop function mishap');
  }
}

async function book() {
  const headers = { 'x-correlation-id': 'conversation-9' };
  const client = await connect(app(), { headers });
  const guest = { firstName: 'Ada', lastName: 'Lovelace' };
  const stay = { compositeId: DINNER, partySize: 2, date: freeDay(), time: '19:00' };
  return () => callTool(client, 'create_venue_booking', { ...stay, ...guest });
}

describe('a tool call', () => {
  it('in doubt says that it may have been carried out', async () => {
    const call = await book();
    const { isError, text } = await whileBookingDoes('perform pg_terminate_backend(pg_backend_pid())', call);
    assert.ok(isError);
    assert.match(text, /^HTTP-R-503: .*it is not known whether this was carried out/);
    assert.match(text, /"isOutcomeKnown":false/);
    assert.doesNotMatch(text, /may succeed/);
  });

  it('that the database puts off says for how long', async () => {
    const call = await book();
    const { text } = await whileBookingDoes(`raise exception 'full' using errcode = '53100'`, call);
    assert.match(text, /^HTTP-R-503: .*\n.* The same call may succeed in 5 seconds/);
  });

  it('that fails unexpectedly names the id under which it is in the log', async () => {
    const call = await book();
    const { text } = await whileBookingDoes(`raise exception 'the inner reason'`, call);
    assert.match(text, /^HTTP-R-500: /);
    assert.match(text, /\{"correlationId":"conversation-9"\}$/);
    assert.doesNotMatch(text, /inner reason/);
    const [failure] = logged('unforeseen error');
    assert.equal(failure.correlationId, 'conversation-9');
    assert.match(failure.err.message, /the inner reason/);
  });

  it('that is refused is in the logs with its code and its tool', async () => {
    const client = await connect(app(), { headers: { 'x-correlation-id': 'conversation-10' } });
    await callTool(client, 'get_venue_bookings', { dateFrom: '2026-12-31', dateTo: '2026-01-01' });
    const refused = logged('answered').filter(({ correlationId }) => correlationId === 'conversation-10');
    assert.deepEqual(refused.map(({ tool, code, status }) => [tool, code, status]).at(-1), [
      'get_venue_bookings',
      'VALID-N-001',
      200,
    ]);
    await app().services.requestLog.recorder.flush();
    const { json } = await app().call('/manage/partners/1/requests?code=VALID-N-001', { as: 'demo-admin' });
    assert.equal(json.data[0].route, '/mcp');
  });

  it('that the protocol rejects is in the log', async () => {
    const client = await connect(app());
    await assert.rejects(client.callTool({ name: 'drop_tables', arguments: {} }));
    const headers = { accept: 'text/html', 'mcp-protocol-version': '2026-07-28' };
    const { status } = await app().call('/mcp', { method: 'POST', headers, body: { jsonrpc: '2.0' } });
    assert.equal(status, 400);
    assert.ok(logged('A request of MCP was rejected.').length > 0);
  });
});
