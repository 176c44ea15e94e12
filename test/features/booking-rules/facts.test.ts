import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FactEntry, factsOf } from '../../../src/features/booking-rules/engine/fact-list.ts';
import type { Hook } from '../../../src/features/booking-rules/engine/rule.ts';
import { eventually } from '../../support/eventually.ts';
import { storageOf } from '../../support/rule-storage.ts';
import { BOOTH, type Body, booked, COPPER_ROOM, freeDay, guest, PRIVATE } from '../bookings/support.ts';
import { agreesWith, type KnownBooking, obtain } from './following.ts';
import { rulesApp } from './support.ts';

/** Whoever follows the list of facts finds what the rules are given. */

const app = rulesApp();

interface Listed {
  entry: FactEntry;
  value: unknown;
}

async function followAll(hook: Hook, known: KnownBooking): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (const entry of factsOf(hook)) listed.push({ entry, value: await obtain(app(), entry, known) });
  return listed;
}

/** A rule for each fact, which does something only if the fact has the value that was found. */
async function underFactRules<Result>(
  hook: Hook,
  { listed, operatorId }: { listed: readonly Listed[]; operatorId: number },
  actionOf: (listed: Listed, index: number) => Body,
  work: () => Promise<Result>,
): Promise<Result> {
  const storage = storageOf(app());
  const ids: string[] = [];
  for (const [index, each] of listed.entries()) {
    const { id } = await storage.create(operatorId, {
      name: each.entry.name,
      effect: 'expression',
      hook,
      // What rules make of the balance is seen by those after them, so the one about it is asked first.
      priority: each.entry.name === 'payment.finalBalance' ? 0 : index + 1,
      when: agreesWith(each.entry.name, each.value),
      then: [actionOf(each, index)],
    });
    ids.push(id);
  }
  try {
    await eventually(async () => {
      const { rules } = (await app().call(`/booking-rules?operatorId=${operatorId}`)).json;
      return ids.every((id) => rules.some((rule: Body) => rule.id === id));
    });
    return await work();
  } finally {
    for (const id of ids) await storage.retire(operatorId, id);
  }
}

const flagged = ({ entry }: Listed) => ({ flag: { name: entry.name } });

async function flagsOf(bookingId: string): Promise<string[]> {
  const [row] = await app().sql<{ flags: string[] }[]>`select flags from booking where id = ${bookingId}`;
  return row?.flags ?? [];
}

const namesOf = (listed: readonly Listed[]) => listed.map(({ entry }) => entry.name).sort();

async function joinCategory(operatorId: number): Promise<void> {
  await app().sql`insert into partner_category (id, operator_id, slug, name)
    values (${operatorId * 100 + 9}, ${operatorId}, 'friends', 'Friends')`;
  await app()
    .sql`insert into partner_category_member (category_id, partner_id) values (${operatorId * 100 + 9}, 1)`;
}

const inLondon = (date: string, time: string) =>
  Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime('Europe/London').toString({
    timeZoneName: 'never',
  });

const party: Body = {
  ...guest,
  type: 'request',
  partySize: 11,
  children: 1,
  duration: 180,
  spaceId: COPPER_ROOM,
  depositAmount: 2500,
  preorders: {
    packages: [
      { id: 101, quantity: 12 },
      { slug: 'celebration-cake', quantity: 1 },
    ],
    menus: [{ id: 101, items: [{ id: 10101, quantity: 2 }] }],
  },
};

test('every fact of a creation is where the list says', async () => {
  await joinCategory(1);
  const sent = { ...party, dateTime: inLondon(freeDay(5), '18:30') };
  const known = { productId: PRIVATE, sent, headers: { 'x-booking-source': 'phone' } };
  const listed = await followAll('booking.create', known);
  const values = Object.fromEntries(listed.map(({ entry, value }) => [entry.name, value]));
  assert.deepEqual(values['booking.packages'], ['grill-feast', 'celebration-cake']);
  assert.deepEqual(values['partner.categoryIds'], [109]);
  assert.equal(values['space.name'], 'The Copper Room');
  const { id } = await underFactRules('booking.create', { listed, operatorId: 1 }, flagged, () =>
    booked(app(), sent, known),
  );
  assert.deepEqual((await flagsOf(id)).sort(), namesOf(listed));
});

test('what a creation leaves out is absent or has the value that stands for it', async () => {
  const night = freeDay(5);
  const morning = Temporal.PlainDate.from(night).add({ days: 1 }).toString();
  const sent = { ...guest, type: 'request', dateTime: inLondon(morning, '00:30') };
  const known = { productId: BOOTH, sent, headers: {} };
  const listed = await followAll('booking.create', known);
  const values = Object.fromEntries(listed.map(({ entry, value }) => [entry.name, value]));
  assert.equal(values['booking.date'], night, 'half past midnight belongs to the evening before');
  assert.equal(values['booking.weekday'], 5);
  assert.equal(values['booking.children'], 0);
  assert.equal(values['booking.source'], 'api');
  assert.equal(values['booking.duration'], undefined);
  assert.equal(values['space.id'], undefined);
  const { id } = await underFactRules('booking.create', { listed, operatorId: 2 }, flagged, () =>
    booked(app(), sent, known),
  );
  assert.deepEqual((await flagsOf(id)).sort(), namesOf(listed));
});

test('every fact of an amendment is where the list says', async () => {
  const sent = { ...party, dateTime: inLondon(freeDay(), '18:30') };
  const headers = { 'x-booking-source': 'email' };
  const { id } = await booked(app(), sent, { productId: PRIVATE, headers });
  const dateTime = inLondon(freeDay(), '20:00');
  const changes: Body = { partySize: 13, children: 2, dateTime, duration: 120, depositAmount: 3000 };
  const known = { productId: PRIVATE, sent: { ...sent, ...changes }, headers };
  const listed = await followAll('booking.amend', known);
  const patch = Object.entries(changes).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }));
  await underFactRules('booking.amend', { listed, operatorId: 1 }, flagged, async () => {
    const answer = await app().call(`/venues/bookings/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json-patch+json' },
      body: JSON.stringify(patch),
    });
    assert.equal(answer.status, 200, answer.text);
  });
  assert.deepEqual((await flagsOf(id)).sort(), namesOf(listed));
});

for (const [what, body, productId] of [
  ['with a room and a pre-order', party, PRIVATE],
  ['with nothing but a table', { ...guest, type: 'request' }, BOOTH],
] as const) {
  test(`every fact of a payment is where the list says, for a booking ${what}`, async () => {
    const sent = { ...body, dateTime: inLondon(freeDay(), '18:30') };
    const headers = { 'x-booking-source': 'chatbot' };
    const { id: bookingId } = await booked(app(), sent, { productId, headers });
    const listed = await followAll('payment', { productId, sent, headers, bookingId });
    const values = Object.fromEntries(listed.map(({ entry, value }) => [entry.name, value]));
    if (body === party)
      assert.equal((values['payment.bands'] as unknown[]).length, 2, 'the stay meets two bands');
    // Each rule that finds its fact as it was obtained adds a binary digit of its own.
    const digit = (_: Listed, index: number) => ({
      set: {
        fact: 'payment.finalBalance',
        value: { '+': [{ var: 'payment.finalBalance' }, 2 ** index] },
      },
    });
    const operatorId = Number(productId.split('|')[0]);
    const options = await underFactRules('payment', { listed, operatorId }, digit, () =>
      app().call(`/venues/bookings/${bookingId}/payment-options`),
    );
    const added = options.json.finalBalance - Number(values['payment.finalBalance']);
    const missed = listed.filter((_, index) => Math.floor(added / 2 ** index) % 2 === 0);
    assert.deepEqual(namesOf(missed), []);
  });
}

test('only payments know what is to be paid, and everything is explained in a sentence', () => {
  for (const hook of ['booking.create', 'booking.amend'] as const) {
    assert.deepEqual(
      factsOf(hook).filter(({ name }) => name.startsWith('payment.')),
      [],
    );
    assert.equal(factsOf(hook).length, factsOf('payment').length - 2);
  }
  for (const { howToObtain } of factsOf('payment')) assert.match(howToObtain, /^[A-Z`].*\.$/);
});

test('the answer of the list of rules explains the same facts', async () => {
  const { hooks } = (await app().call('/booking-rules')).json;
  assert.deepEqual(
    hooks.map(({ name }: Body) => name),
    ['booking.create', 'booking.amend', 'payment'],
  );
  for (const { name, facts } of hooks) {
    assert.deepEqual(
      facts,
      factsOf(name).map((fact) => ({
        name: fact.name,
        type: fact.type,
        howToObtain: fact.howToObtain,
      })),
    );
  }
});
