import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Notifications, openNotifications } from '../../../src/db/notifications.ts';
import type { Rule } from '../../../src/features/booking-rules/engine/rule.ts';
import {
  createRulebooks,
  type Rulebook,
  type Rulebooks,
} from '../../../src/features/booking-rules/engine/rulebooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type RuleStorage, ruleStorage } from '../../support/rule-storage.ts';

let database: TestDatabase;
let storage: RuleStorage;
let notifications: Notifications;
let rulebooks: Rulebooks;
const listeners: Notifications[] = [];

const draft = (name: string, priority = 0) => ({ effect: 'route_to_enquiry', name, priority });
const namesIn = ({ rules }: Rulebook) => rules.map(({ rule }) => rule.name);

/** Another node: its own memory and its own connection. */
async function startNode(): Promise<{ notifications: Notifications; rulebooks: Rulebooks }> {
  const own = await openNotifications(database.url);
  listeners.push(own);
  return { notifications: own, rulebooks: createRulebooks(database.sql, own) };
}

/** What was remembered of an operator's rules is gone once this settles. */
async function untilReadAgain(operatorId: number, known: Rulebook): Promise<Rulebook> {
  await eventually(async () => (await rulebooks.get(operatorId)) !== known);
  return rulebooks.get(operatorId);
}

before(async () => {
  database = await createTestDatabase({ hasDemo: true });
  storage = ruleStorage(database.sql);
});
beforeEach(async () => {
  await database.sql`delete from booking_rule`;
  ({ notifications, rulebooks } = await startNode());
});
after(async () => {
  for (const listener of listeners) await listener.close();
  await database.drop();
});

test('an operator that never had a rule has an empty book of version 0', async () => {
  assert.deepEqual(await rulebooks.get(3), { operatorId: 3, version: 0, rules: [] });
});

test('a book has the active rules by priority, then by id', async () => {
  const names = ['third', 'fourth', 'first', 'second', 'retired'];
  const stored = new Map<string, Rule>();
  for (const name of names) {
    const priority = { first: -5, second: 0 }[name] ?? 7;
    stored.set(name, await storage.create(2, draft(name, priority)));
  }
  await storage.retire(2, stored.get('retired')?.id ?? '');
  await storage.create(1, draft('of another operator'));
  assert.deepEqual(namesIn(await rulebooks.get(2)), ['first', 'second', 'third', 'fourth']);
});

test('a book holds its rules as they are stored, with the version that the database has for them', async () => {
  const rule = await storage.create(1, draft('only'));
  const { version, rules } = await rulebooks.get(1);
  assert.deepEqual(
    rules.map((compiled) => compiled.rule),
    [rule],
  );
  const [row] = await database.sql<{ version: number }[]>`select version from rulebook where operator_id = 1`;
  assert.equal(version, row?.version);
});

test('storing, changing and retiring a rule each raise the version', async () => {
  const versionNow = async () => {
    rulebooks.forget(1);
    return (await rulebooks.get(1)).version;
  };
  const versions = [await versionNow()];
  const { id } = await storage.create(1, draft('a'));
  versions.push(await versionNow());
  await storage.change(1, id, draft('b'));
  versions.push(await versionNow());
  await storage.retire(1, id);
  versions.push(await versionNow());
  assert.deepEqual(
    versions,
    [...new Set(versions)].sort((a, b) => a - b),
  );
});

test('a book is read once until it changes, and the change of one operator leaves the others alone', async () => {
  const known = await rulebooks.get(1);
  const other = await rulebooks.get(2);
  assert.equal(await rulebooks.get(1), known);
  await storage.create(1, draft('new'));
  assert.deepEqual(namesIn(await untilReadAgain(1, known)), ['new']);
  assert.equal(await rulebooks.get(2), other);
});

test('a change reaches every node', async () => {
  const nodes = [await startNode(), await startNode()];
  const names = () => Promise.all(nodes.map(async (node) => namesIn(await node.rulebooks.get(1)).join()));
  const { id } = await storage.create(1, draft('one'));
  await eventually(async () => (await names()).every((list) => list === 'one'));
  await storage.change(1, id, draft('two'));
  await eventually(async () => (await names()).every((list) => list === 'two'));
  await storage.retire(1, id);
  await eventually(async () => (await names()).every((list) => list === ''));
});

test('while changes cannot be heard nothing is served from memory', async () => {
  const { id } = await storage.create(1, draft('before'));
  const known = await rulebooks.get(1);
  await notifications.close();
  await storage.change(1, id, draft('after'));
  const fresh = await rulebooks.get(1);
  assert.notEqual(fresh, known);
  assert.deepEqual(namesIn(fresh), ['after']);
  const together = await Promise.all([rulebooks.get(1), rulebooks.get(1)]);
  assert.equal(new Set([fresh, ...together]).size, 3);
});

test('a connection that broke takes all books along', async () => {
  const [one, two] = [await rulebooks.get(1), await rulebooks.get(2)];
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'maitred notifications' and datname = current_database()`;
  await eventually(() => !notifications.isConnected());
  await eventually(() => notifications.isConnected());
  assert.notEqual(await rulebooks.get(1), one);
  assert.notEqual(await rulebooks.get(2), two);
});

test('what was read before a change is not kept after it', async () => {
  const early = rulebooks.get(1);
  rulebooks.forget(1);
  const old = await early;
  assert.notEqual(await rulebooks.get(1), old);
});

test('many who ask at once share a read, unless it began before a change', async () => {
  const together = await Promise.all(Array.from({ length: 5 }, () => rulebooks.get(1)));
  assert.equal(new Set(together).size, 1);
  rulebooks.forget(1);
  const early = rulebooks.get(1);
  rulebooks.forget(1);
  const late = rulebooks.get(1);
  assert.notEqual(await early, await late);
});

test('a read that fails is not remembered', async () => {
  await database.sql`alter table booking_rule rename to mislaid`;
  await assert.rejects(rulebooks.get(1), /booking_rule/);
  await database.sql`alter table mislaid rename to booking_rule`;
  assert.equal((await rulebooks.get(1)).operatorId, 1);
});

test('a stored rule that can no longer be carried out is left out and reported, and the others hold', async () => {
  const good = await storage.create(1, draft('good'));
  const broken = {
    condition: await storage.create(1, draft('condition')),
    params: await storage.create(1, { effect: 'require_deposit', name: 'params', params: { amount: 5 } }),
    expression: await storage.create(1, {
      effect: 'expression',
      hook: 'booking.create',
      name: 'expression',
      when: true,
      then: [{ reject: { message: 'No.' } }],
    }),
  };
  await database.sql`
    update booking_rule set conditions = '[{"field": "moon", "operator": "eq", "value": 1}]'
    where id = ${broken.condition.id}`;
  await database.sql`update booking_rule set params = '{"amount": "a lot"}' where id = ${broken.params.id}`;
  await database.sql`update booking_rule set expression = '{"summon": []}' where id = ${broken.expression.id}`;
  const reported = new Map<string, string>();
  const watched = createRulebooks(database.sql, notifications, {
    onBroken: (rule, error) => reported.set(rule.name, String(error)),
  });
  assert.deepEqual(
    (await watched.get(1)).rules.map(({ rule }) => rule.id),
    [good.id],
  );
  assert.match(reported.get('condition') ?? '', /conditions\.0\.field/);
  assert.match(reported.get('params') ?? '', /params\.amount/);
  assert.match(reported.get('expression') ?? '', /summon/);
});
