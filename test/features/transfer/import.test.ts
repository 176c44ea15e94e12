import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { operatorDocumentExample } from '../../../src/features/transfer/examples.ts';
import { mapVenue } from '../../../src/features/venues/service.ts';
import type { OperatorDocument } from '../../../src/features/venues/transfer/document.ts';
import { parseProductId, parseVenueId } from '../../../src/kernel/ids.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { someoneWaits } from '../../support/databases/lock-waits.ts';
import { eventually } from '../../support/eventually.ts';
import { assertSaid } from './comparing.ts';
import { exportFrom, importInto } from './platforms.ts';
import { tavernOperator } from './tavern.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

async function imported(document: unknown) {
  const answer = await importInto(maitred, document);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

async function numbersOfAll(): Promise<object> {
  const [row] = await maitred.sql`
    select (select count(*) from operator) as operators, (select count(*) from venue) as venues,
      (select count(*) from space) as spaces, (select count(*) from house_table) as tables,
      (select count(*) from booking_rule) as rules, (select count(*) from audit_entry) as entries`;
  return { ...row };
}

test('a document that was written by hand is stored whole, and says what was made of it', async () => {
  const document = tavernOperator();
  const result = await imported(document);
  const { operatorId, isDryRun, renumbered, notes, ...counts } = result;
  assert.deepEqual([isDryRun, renumbered, notes], [false, {}, []]);
  assert.deepEqual(counts, {
    ...{
      venues: 2,
      products: 3,
      spaces: 1,
      packages: 1,
      menus: 1,
      menuItems: 1,
      zones: 1,
      areas: 1,
      tables: 3,
    },
    ...{
      occurrences: 1,
      photos: 1,
      siteFaqs: 1,
      partnerCategories: 1,
      availabilityRules: 2,
      bookingRules: 2,
    },
  });
  const exported = await exportFrom(maitred, operatorId);
  const rules = exported.bookingRules ?? [];
  assertSaid(document, { ...exported, bookingRules: rules });
  const [, snug] = exported.venues[0]?.house?.products ?? [];
  assert.equal(snug?.noticeMinutes, 0, 'what was left open is filled in');
  assert.deepEqual(
    [snug?.zoneIds, snug?.maxGuests],
    [undefined, undefined],
    'what follows from the layout is not',
  );
});

test('the example of the reference can be imported', async () => {
  const { operatorId } = await imported(operatorDocumentExample);
  assert.equal(operatorId, operatorDocumentExample.id);
});

test('what is taken gets another number wherever the document names it', async () => {
  const ids = {
    spaceId: 901,
    zoneId: 902,
    tableId: 903,
    otherTableId: 904,
    menuId: 905,
    itemId: 906,
    packageId: 907,
  };
  const first = withIds(tavernOperator(), ids);
  const second = withIds(tavernOperator(), ids);
  assert.deepEqual((await imported(first)).renumbered.spaces, undefined);
  const { operatorId, renumbered } = await imported(second);
  assert.deepEqual(Object.keys(renumbered).sort(), [
    ...['areas', 'availabilityRules', 'bookingRules', 'menuItems', 'menus', 'packages', 'partnerCategories'],
    ...['spaces', 'tables', 'zones'],
  ]);
  const { venues, partnerCategories, bookingRules } = await exportFrom(maitred, operatorId);
  const [tavern] = venues;
  const space = renumbered.spaces[901];
  const zone = renumbered.zones[902];
  assert.ok(space > 901 && zone > 902);
  assert.equal(tavern?.spaces?.[0]?.id, space);
  assert.deepEqual(tavern?.products[1]?.spaceIds, [space]);
  assert.equal(tavern?.products[1]?.availabilityRules?.[0]?.spaceId, space);
  assert.deepEqual(tavern?.products[0]?.packageIds, [renumbered.packages[907]]);
  assert.deepEqual(tavern?.products[0]?.menuIds, [renumbered.menus[905]]);
  assert.equal(tavern?.menus?.[0]?.items[0]?.id, renumbered.menuItems[906]);
  assert.deepEqual(tavern?.house?.spaceZones, [{ spaceId: space, zoneId: zone }]);
  assert.deepEqual(tavern?.house?.products[0]?.zoneIds, [zone]);
  const tables = [renumbered.tables[903], renumbered.tables[904]];
  assert.deepEqual(tavern?.house?.combinations?.[0]?.tableIds, tables);
  assert.equal(partnerCategories?.[0]?.id, renumbered.partnerCategories[30]);
  const rule = bookingRules?.find(({ effect }) => effect === 'party_size_limit');
  assert.equal(rule?.id, renumbered.bookingRules['019a8a11-0000-7000-8000-000000000002']);
  assert.deepEqual(rule?.partnerCategories, ['friends']);
});

interface TavernIds {
  spaceId: number;
  zoneId: number;
  tableId: number;
  otherTableId: number;
  menuId: number;
  itemId: number;
  packageId: number;
}

/** The same tavern with other numbers. */
function withIds(document: Omit<OperatorDocument, 'id'>, ids: TavernIds): Omit<OperatorDocument, 'id'> {
  const changes: Record<number, number> = {
    ...{ 31: ids.spaceId, 32: ids.packageId, 33: ids.menuId, 34: ids.itemId, 35: ids.zoneId },
    ...{ 37: ids.tableId, 39: ids.otherTableId },
  };
  const named = /^(id|spaceId|zoneId|spaceIds|zoneIds|tableIds|packageIds|menuIds)$/;
  const change = (value: unknown) => (typeof value === 'number' ? (changes[value] ?? value) : value);
  return JSON.parse(
    JSON.stringify(document, (key, value) =>
      named.test(key) ? (Array.isArray(value) ? value.map(change) : change(value)) : value,
    ),
  );
}

test('a number that is too high to count on from is not kept', async () => {
  const partnerCategories = [{ id: 2_147_483_647, slug: 'friends', name: 'Friends', partners: [] }];
  const { renumbered } = await imported(tavernOperator({ partnerCategories }));
  assert.ok(renumbered.partnerCategories[2_147_483_647] < 1_000_000_000);
  const made = await maitred.call('/manage/operators/1/partner-categories', {
    method: 'POST',
    as: 'demo-operator',
    body: { slug: 'late', name: 'Late', partnerIds: [] },
  });
  assert.equal(made.status, 201, made.text);
});

test('a dry run says what an import would say, and leaves nothing behind', async () => {
  const document = tavernOperator();
  const before = await numbersOfAll();
  const { status, json } = await importInto(maitred, document, '?dryRun=true');
  assert.equal(status, 200);
  assert.deepEqual(await numbersOfAll(), before);
  const real = await imported(document);
  assert.equal(json.isDryRun, true);
  const { operatorId: _would, isDryRun: _dry, renumbered: _then, ...counts } = json;
  const { operatorId: _is, isDryRun: _real, renumbered: _now, ...stored } = real;
  assert.deepEqual(counts, stored);
  assertProblem(await importInto(maitred, document, '?dryRun=true'), 409, 'OPRTR-N-004');
});

test('an operator that is there is not imported over', async () => {
  const before = await numbersOfAll();
  const taken = assertProblem(await importInto(maitred, { ...tavernOperator(), id: 1 }), 409, 'OPRTR-N-004');
  assert.match(taken.detail, /Lamp & Larder/);
  assertProblem(await importInto(maitred, tavernOperator({ name: ' LAMP & larder' })), 409, 'OPRTR-N-004');
  assert.deepEqual(await numbersOfAll(), before);
});

test('the audit log of an operator that is gone is not taken over with its number', async () => {
  const document = { ...tavernOperator(), systems: [], bookingRules: [], venues: [] };
  const { operatorId } = await imported(document);
  const path = `/manage/operators/${operatorId}`;
  assert.equal((await maitred.call(path, { method: 'DELETE', as: 'demo-admin' })).status, 204);
  assertProblem(await importInto(maitred, { ...document, id: operatorId }), 409, 'OPRTR-N-004');
  assert.notEqual((await imported(document)).operatorId, operatorId);
});

test('of several imports at once each gets numbers of its own, and one operator is made once', async () => {
  const documents = [1, 2, 3].map(() => tavernOperator());
  const results = await Promise.all(documents.map(imported));
  assert.equal(new Set(results.map(({ operatorId }) => operatorId)).size, 3);
  for (const [index, { operatorId }] of results.entries()) {
    const { name } = await exportFrom(maitred, operatorId);
    assert.equal(name, documents[index]?.name);
  }
  const same = { ...tavernOperator(), id: 777 };
  const answers = await Promise.all([1, 2, 3].map(() => importInto(maitred, same)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
});

test('whoever adds a space while an import runs is given another number', async () => {
  const body = { name: 'Attic', policies: tavernOperator().venues[0]?.spaces?.[0]?.policies };
  const add = () =>
    maitred.call(`/manage/venues/${encodeURIComponent('1|house|soho-grill')}/spaces`, {
      method: 'POST',
      as: 'demo-operator',
      body,
    });
  const [highest] = await maitred.sql<{ id: number }[]>`select max(id) as id from space`;
  const next = (highest?.id ?? 0) + 1;
  const document = withIds(tavernOperator(), {
    ...{ spaceId: next, zoneId: 35, tableId: 37, otherTableId: 39, menuId: 33, itemId: 34, packageId: 32 },
  });
  const answers = await Promise.all([add(), importInto(maitred, document), add(), add()]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  );
});

test('nobody has to wait with a change until an import is over', async () => {
  const spaces = `/manage/venues/${encodeURIComponent('1|house|soho-grill')}/spaces`;
  const body = { name: 'Loft', policies: tavernOperator().venues[0]?.spaces?.[0]?.policies };
  let isOver = false;
  const { held, release } = await holdFaqs();
  const importing = imported(tavernOperator()).finally(() => {
    isOver = true;
  });
  await eventually(() => someoneWaits(maitred.sql));
  const added = await maitred.call(spaces, { method: 'POST', as: 'demo-operator', body });
  assert.equal(added.status, 201, added.text);
  assert.equal(isOver, false);
  release();
  await held;
  const { renumbered } = await importing;
  assert.ok(!Object.values(renumbered.spaces ?? {}).includes(added.json.id));
});

/** Nobody stores FAQs until they are released. */
async function holdFaqs(): Promise<{ held: Promise<unknown>; release: () => void }> {
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const transaction = inTransaction(maitred.sql, async (tx) => {
    await tx`lock table site_faq in share mode`;
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  return { held: transaction, release: held.resolve };
}

test('an import is one entry of the audit log, with what was made and not the document', async () => {
  const result = await imported(tavernOperator());
  const path = `/manage/operators/${result.operatorId}/audit`;
  const { json } = await maitred.call(path, { as: 'demo-admin' });
  assert.equal(json.data.length, 1);
  const [{ action, subject, before, after: made, actor }] = json.data;
  assert.deepEqual(
    [action, subject, before, actor.id],
    ['operator.import', `operator ${result.operatorId}`, null, 'demo-admin'],
  );
  assert.deepEqual(made, result);
});

test('a mapped partner finds the venue, its FAQs, its rules and its free tables', async () => {
  const { operatorId } = await imported(tavernOperator());
  const venueId = parseVenueId(`${operatorId}|house|tavern`);
  const productIds = [parseProductId(`${venueId}|supper`)];
  await mapVenue(maitred.sql, { partnerId: 1, venueId, productIds });
  const path = `/venues/${encodeURIComponent(venueId)}`;
  await eventually(async () => (await maitred.call(path)).status === 200);
  const venue = (await maitred.call(path)).json;
  assert.equal(venue.name, 'The Tavern');
  assert.equal(venue.products[0].category.slug, 'dinner');
  assert.deepEqual((await maitred.call(`${path}/site-faqs`)).json, [{ question: 'Dogs?', answer: 'Yes.' }]);
  const rules = (await maitred.call(`/booking-rules?operatorId=${operatorId}`)).json.rules;
  assert.ok(rules.some(({ name }: { name: string }) => name === 'Six for friends'));
  const friday = '2026-11-27';
  const product = encodeURIComponent(productIds[0] ?? '');
  const slots = await maitred.call(`/venues/${product}/availability?date=${friday}&partySize=2`);
  assert.equal(slots.status, 200, slots.text);
  assert.ok(slots.json.times.length > 0, slots.text);
});

test('a document may be larger than other bodies, and still not endless', async () => {
  const { venues, ...operator } = tavernOperator();
  const faqs = Array.from({ length: 200 }, (_, index) => ({
    question: `${index}`,
    answer: 'x'.repeat(8000),
  }));
  const large = { ...operator, venues: venues.map((venue) => ({ ...venue, siteFaqs: faqs })) };
  assert.ok(JSON.stringify(large).length > 3_000_000);
  await imported(large);
  const endless = { ...large, name: 'x'.repeat(33 * 1024 * 1024) };
  assertProblem(await importInto(maitred, endless), 413, 'HTTP-N-413');
});

test('only the platform imports; owners export what is theirs', async () => {
  const post = (as: string | null) =>
    maitred.call('/manage/imports', { method: 'POST', as, body: tavernOperator() });
  assertProblem(await post('demo-operator'), 403, 'USER-N-009');
  assertProblem(await post('demo-partner'), 403, 'USER-N-009');
  assertProblem(await post(null), 401, 'IDENT-N-001');
  const get = (id: number, as: string) => maitred.call(`/manage/operators/${id}/export`, { as });
  const own = await get(1, 'demo-operator');
  assert.equal(own.status, 200);
  assert.ok(own.headers.etag);
  assertProblem(await get(2, 'demo-operator'), 403, 'OPRTR-N-002');
  assertProblem(await get(1, 'demo-partner'), 403, 'USER-N-009');
  assertProblem(await get(99_999, 'demo-admin'), 404, 'OPRTR-N-001');
});
