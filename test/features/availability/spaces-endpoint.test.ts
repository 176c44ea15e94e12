import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking, day, PRIVATE, type SlotBody, soon } from './soho-grill.ts';

const { maitred, ask } = asking();

test('a product that is enquiry only says request_only', async () => {
  const { times } = (await ask(PRIVATE, `date=${day}&partySize=12`)).json;
  assert.ok(times.length > 0);
  for (const slot of times) assert.deepEqual([slot.type, slot.requestReason], ['request', 'request_only']);
});

test('a start shows its spaces with the minimum-spend bands that the stay crosses, in order', async () => {
  const friday = soon.add({ days: 2 }).toString();
  const { times } = (await ask(PRIVATE, `date=${friday}&partySize=12`)).json as { times: SlotBody[] };
  assert.ok(times.some(({ product }) => product.spaces.length === 2));
  const venue = (await maitred().call('/venues/1|house|soho-grill')).json;
  const all = venue.products[1].spaces.map(
    (space: SlotBody['product']['spaces'][number]) => space.policies.minimumSpend.length,
  );
  for (const { product } of times) {
    for (const space of product.spaces) assert.ok(space.policies.minimumSpend.length < Math.max(...all));
  }
  assert.ok(
    times.some(({ product }) => product.spaces.some(({ policies }) => policies.minimumSpend.length >= 2)),
  );
});

test('minimumSpend keeps spaces that demand no more than that in all', async () => {
  const friday = soon.add({ days: 2 }).toString();
  const { times } = (await ask(PRIVATE, `date=${friday}&partySize=12&minimumSpend=100000`)).json as {
    times: SlotBody[];
  };
  for (const { product } of times) {
    for (const { policies } of product.spaces) {
      assert.ok(policies.minimumSpend.reduce((sum, { amount }) => sum + amount, 0) <= 100_000);
    }
  }
  const none = (await ask(PRIVATE, `date=${friday}&partySize=12&minimumSpend=0`)).json;
  assert.ok(none.times.length < (await ask(PRIVATE, `date=${friday}&partySize=12`)).json.times.length);
});

test('space filters keep the spaces whose policy is the one asked for', async () => {
  const venue = (await maitred().call('/venues/1|house|soho-grill')).json;
  const spaces = venue.products[1].spaces as { id: number; policies: Record<string, unknown> }[];
  for (const filter of ['under18s', 'promotedEvents', 'accessibility', 'servesFood']) {
    for (const draft of [true, false]) {
      const expected = spaces.filter(({ policies }) => policies[filter] === draft).map(({ id }) => id);
      const body = (await ask(PRIVATE, `date=${day}&partySize=12&${filter}=${draft}`)).json;
      const offered = new Set(
        body.times.flatMap((slot: SlotBody) => slot.product.spaces.map(({ id }) => id)),
      );
      for (const id of offered) assert.ok(expected.includes(id as number), `${filter}=${draft}`);
      if (expected.length === 0) assert.equal(body.noAvailabilityCode, 'NO_ELIGIBLE_PRODUCTS');
    }
  }
  const [ruleContext] = (spaces[0]?.policies.occasionTypes ?? []) as string[];
  const { times } = (await ask(PRIVATE, `date=${day}&partySize=12&occasionTypes=${ruleContext}`)).json;
  assert.ok(times.length > 0);
  const absurd = (await ask(PRIVATE, `date=${day}&partySize=12&occasionTypes=${ruleContext},moon-landing`))
    .json;
  assert.equal(absurd.noAvailabilityCode, 'NO_ELIGIBLE_PRODUCTS');
});
