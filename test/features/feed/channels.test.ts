import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { removeGarbage } from '../../../src/features/feed/scheduler.ts';
import { mapVenue } from '../../../src/features/venues/service.ts';
import type { Caller } from '../../../src/http/auth/caller.ts';
import { storageOf } from '../../support/rule-storage.ts';
import {
  bistroApp,
  CATEGORY,
  DINNER,
  FIRST,
  LATE,
  OPERATOR,
  owner,
  PRODUCTS,
  platform,
  ROOMS,
  SECOND,
  THIRD,
  VENUE,
} from './bistro.ts';
import type { Json } from './support.ts';

const bistro = bistroApp({ partners: [1, 2, 3] });

/** The address of everybody's feed, made when nothing tells partners apart. */
let common: string;
beforeEach(async () => {
  const { sql, make, feedUrl } = bistro();
  await sql`delete from booking_rule where operator_id = ${OPERATOR}`;
  await sql`delete from availability_rule where venue_id = ${VENUE}`;
  await sql`delete from venue_marketplace where venue_id = ${VENUE}`;
  await sql`delete from partner_category_member where category_id = ${CATEGORY}`;
  await sql`update partner_operator set is_suspended = false`;
  await sql`delete from venue_mapping where venue_id = ${VENUE}`;
  for (const partnerId of [1, 2, 3]) await mapVenue(sql, { partnerId, venueId: VENUE, productIds: PRODUCTS });
  await make();
  common = (await feedUrl(FIRST)) ?? '';
});

const urls = (...callers: Caller[]) => Promise.all(callers.map((caller) => bistro().feedUrl(caller)));

/** Only the first partner's is its own, and the others read what they read before. */
async function assertFirstAlone() {
  await bistro().make();
  const [first, ...others] = await urls(FIRST, SECOND, THIRD, owner, platform);
  assert.deepEqual(others, [common, common, common, common]);
  assert.ok(first && first !== common);
  return first;
}

test('partners to whom the same is offered share one address with the operator and the platform', async () => {
  assert.deepEqual(await urls(FIRST, SECOND, THIRD, owner, platform), Array(5).fill(common));
});

const FOR_FIRST: Record<string, () => PromiseLike<unknown>> = {
  'a rule of the operator aimed at it': () => bistro().sql`
    insert into availability_rule (venue_id, partner_ids, type, definition)
    values (${VENUE}, '{1}', 'recurring', '{"weekdays": [1]}')`,
  'a time that is kept for it': () => bistro().sql`
    insert into availability_rule (venue_id, partner_ids, type, effect, definition)
    values (${VENUE}, '{1}', 'recurring', 'reserve', '{"weekdays": [1]}')`,
  'a rule aimed at its category': async () => {
    await bistro().sql`insert into partner_category_member values (${CATEGORY}, 1)`;
    await bistro().sql`insert into availability_rule (venue_id, category_ids, type, definition)
      values (${VENUE}, array[${CATEGORY}::integer], 'recurring', '{"weekdays": [1]}')`;
  },
  'a rule of the operator whose scope is it': () => bistro().sql`
    insert into availability_rule (venue_id, scope, type, definition)
    values (${VENUE}, '{"==": [{"var": "partner.id"}, 1]}', 'recurring', '{"weekdays": [1]}')`,
  'what is hidden on the marketplace that it is': () => bistro().sql`
    insert into venue_marketplace (venue_id, partner_id, listing_id, is_enabled, managed)
    values (${VENUE}, 1, 'x', true, '[{"productKey": null, "weekdays": [1]}]')`,
  'a booking rule aimed at it': () =>
    storageOf(bistro()).create(OPERATOR, {
      effect: 'route_to_enquiry',
      name: 'Rule',
      partnerIds: [1],
    }),
  'a smaller largest party on its channel': () =>
    bistro().sql`update venue_mapping set max_party_size = 3 where partner_id = 1 and venue_id = ${VENUE}`,
  'a channel that may only enquire': () =>
    bistro()
      .sql`update venue_mapping set is_request_only = true where partner_id = 1 and venue_id = ${VENUE}`,
};

for (const [name, change] of Object.entries(FOR_FIRST))
  test(`a partner gets an address of its own by ${name}`, async () => {
    await change();
    if (name.includes('kept')) {
      // Everybody else loses those times, so what they share is another feed at the same address.
      const before = await bistro().read(SECOND);
      await assertFirstAlone();
      assert.ok((await bistro().read(SECOND)).shards.size < before.shards.size);
    } else await assertFirstAlone();
    const mine = JSON.stringify([...(await bistro().read(FIRST)).shards]);
    const theirs = JSON.stringify([...(await bistro().read(SECOND)).shards]);
    assert.notEqual(mine, theirs);
  });

test('when the rule is gone the partner reads what everybody reads again', async () => {
  const storage = storageOf(bistro());
  const { id } = await storage.create(OPERATOR, {
    effect: 'route_to_enquiry',
    name: 'Rule',
    partnerIds: [1],
  });
  await assertFirstAlone();
  await storage.retire(OPERATOR, id);
  await bistro().make();
  assert.deepEqual(await urls(FIRST, SECOND), [common, common]);
});

test('a rule about one product leaves the addresses of the others alone', async () => {
  await bistro().sql`insert into availability_rule (venue_id, product_id, partner_ids, type, definition)
    values (${VENUE}, ${LATE}, '{1}', 'recurring', '{"weekdays": [1]}')`;
  await bistro().make();
  assert.equal(await bistro().feedUrl(FIRST), common);
  assert.notEqual(await bistro().feedUrl(FIRST, LATE), await bistro().feedUrl(SECOND, LATE));
});

test('a rule about categories of products holds as soon as the product is in one', async () => {
  const { sql, make, read } = bistro();
  const conditions = [{ field: 'category', operator: 'eq', value: 'dinner' }];
  await storageOf(bistro()).create(OPERATOR, { effect: 'route_to_enquiry', name: 'Rule', conditions });
  await make();
  const kinds = async (productId: string) => {
    const { shards } = await read(FIRST, productId);
    return [...new Set([...shards.values()].flatMap(({ slots }) => slots.map(({ type }: Json) => type)))];
  };
  assert.deepEqual([await kinds(DINNER), await kinds(LATE)], [['request'], ['book']]);
  await sql`update product set category_id = (select category_id from product where id = ${DINNER}) where id = ${LATE}`;
  await make();
  assert.deepEqual(await kinds(LATE), ['request']);
  await sql`update product set category_id = null where id = ${LATE}`;
});

test('when a partner distributes the venue no longer, everybody else gets new addresses and it has none', async () => {
  const { sql, make, services, maker } = bistro();
  const before = new Set(await Promise.all(PRODUCTS.map((id) => bistro().feedUrl(SECOND, id))));
  await sql`delete from venue_mapping where partner_id = 1 and venue_id = ${VENUE}`;
  await make();
  await assert.rejects(services.venues.get(FIRST, VENUE), { code: 'PMAP-N-001' });
  for (const productId of PRODUCTS) {
    const [second, third, operators] = await Promise.all(
      [SECOND, THIRD, owner].map((caller) => bistro().feedUrl(caller, productId)),
    );
    assert.ok(second && !before.has(second));
    assert.deepEqual([third, operators], [second, second]);
  }
  assert.ok(
    [...maker.files.keys()].some((path) => common.endsWith(path)),
    'whoever reads it may finish',
  );
});

test('the same when it had an address of its own last, since it may know the old ones', async () => {
  const { sql, make, feedUrl } = bistro();
  await storageOf(bistro()).create(OPERATOR, { effect: 'route_to_enquiry', name: 'A', partnerIds: [1] });
  await storageOf(bistro()).create(OPERATOR, {
    effect: 'party_size_limit',
    name: 'B',
    params: { max: 3 },
    partnerIds: [2],
  });
  await make();
  const second = await feedUrl(SECOND);
  await sql`delete from product_mapping where partner_id = 1 and product_id = ${DINNER}`;
  await make();
  assert.equal(await feedUrl(FIRST), null);
  assert.ok((await feedUrl(THIRD)) && (await feedUrl(THIRD)) !== common);
  assert.notEqual(await feedUrl(SECOND), second);
  assert.ok(await feedUrl(FIRST, ROOMS), 'what it still distributes it still reads');
});

test('what nobody reads any more is removed after a day, and nothing else', async () => {
  const { sql, make, maker, read } = bistro();
  await sql`delete from venue_mapping where partner_id = 1 and venue_id = ${VENUE}`;
  await make();
  const storage = {
    put: async () => {},
    remove: async (paths: readonly string[]) => paths.forEach((path) => void maker.files.delete(path)),
  };
  const later = (hours: number) => () => Temporal.Now.instant().add({ hours });
  const kept = maker.files.size;
  await removeGarbage({ sql, storage, clock: later(24) });
  assert.equal(maker.files.size, kept);
  await removeGarbage({ sql, storage, clock: later(26) });
  assert.ok(maker.files.size < kept);
  const token = common.split('/')[3] ?? '';
  assert.deepEqual(
    [...maker.files.keys()].filter((path) => path.startsWith(token)),
    [],
  );
  const named = await Promise.all(PRODUCTS.map((productId) => read(SECOND, productId)));
  const count = named.reduce((sum, { shards }) => sum + shards.size + 1, 0);
  assert.equal(maker.files.size, count);
});

test('a suspended partner has no feed, and the others have new addresses', async () => {
  await bistro()
    .sql`update partner_operator set is_suspended = true where partner_id = 1 and operator_id = ${OPERATOR}`;
  await bistro().make();
  const [first, second, third] = await urls(FIRST, SECOND, THIRD);
  assert.equal(first, null);
  assert.ok(second && second !== common);
  assert.equal(third, second);
});

test('a partner that is mapped later reads what is there', async () => {
  const { sql, make } = bistro();
  await sql`delete from venue_mapping where partner_id = 3 and venue_id = ${VENUE}`;
  await make();
  const [before] = await urls(SECOND);
  await mapVenue(sql, { partnerId: 3, venueId: VENUE, productIds: [DINNER] });
  const { files } = await make();
  assert.equal(files, 0);
  assert.deepEqual(await urls(SECOND, THIRD), [before, before]);
  assert.equal(await bistro().feedUrl(THIRD, LATE), null);
});

test('an agent is shown the feed of the partner that it acts for', async () => {
  await FOR_FIRST['a booking rule aimed at it']?.();
  const own = await assertFirstAlone();
  const agent: Caller = { ...FIRST, kind: 'agent', clientId: 'demo-agent' } as Caller;
  assert.equal(await bistro().feedUrl(agent), own);
});

test('no file that one partner can reach has anything of what another alone is offered', async () => {
  const storage = storageOf(bistro());
  await storage.create(OPERATOR, {
    effect: 'party_size_limit',
    name: 'A',
    params: { max: 1 },
    partnerIds: [1],
  });
  await storage.create(OPERATOR, {
    effect: 'party_size_limit',
    name: 'B',
    params: { min: 2, max: 2 },
    partnerIds: [2],
  });
  await storage.create(OPERATOR, {
    effect: 'party_size_limit',
    name: 'C',
    params: { min: 3 },
    partnerIds: [3],
  });
  await bistro().make();
  const { files } = bistro().maker;
  const sizesUnder = async (caller: Caller) => {
    const token = (await bistro().feedUrl(caller))?.split('/')[3] ?? '';
    const shards = [...files].filter(([path]) => path.startsWith(`${token}/`) && path.endsWith('.gz'));
    const slots = shards.flatMap(([, body]) => JSON.parse(String(gunzipSync(body))).slots);
    const { index } = await bistro().read(caller);
    for (const { url } of index.shards) assert.ok(url.includes(`/${token}/`));
    return [...new Set(slots.map(({ party_size }: Json) => party_size))];
  };
  assert.deepEqual(await sizesUnder(FIRST), [1]);
  assert.deepEqual(await sizesUnder(SECOND), [2]);
  assert.deepEqual(await sizesUnder(THIRD), [3, 4]);
});
