import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../support/app.ts';
import { repeats } from '../../../support/repeats.ts';
import { type Body, booked, bookingsApp, DINNER } from '../support.ts';
import { read, rowsOf } from './amending.ts';
import { hostilePatches } from './hostile-patches.ts';
import { patchedBy } from './patch-oracle.ts';

const maitred = bookingsApp();
const SEED = 20_261_115;
const PATCHES = repeats(10_000, 2000);
const BOOKINGS = 10;
/** Made before there is a node, which would take the pause for overload. */
const patches = hostilePatches(PATCHES, SEED);

/** The document that patches are about, kept beside the service by the rules of the interface alone. */
function documentAfterCreation({ date, time, firstName, lastName, email, phone }: Body): Body {
  const absent = { dateTime: null, duration: null, spaceId: null, company: null, partnerBookingId: null };
  const more = { notes: null, admin_notes: null, depositAmount: null, children: 0, labels: [] };
  const guest = { firstName, lastName, email, phone };
  const preorders = { packages: [], menus: [] };
  return {
    compositeId: DINNER,
    type: 'book',
    partySize: 2,
    date,
    time,
    ...guest,
    ...absent,
    ...more,
    preorders,
  };
}

/** What a read of the operator must show of a document. */
function shownOf(document: Body): Body {
  const { notes, labels, children, ...rest } = document;
  const names = [
    'compositeId',
    'partySize',
    'firstName',
    'lastName',
    'email',
    'phone',
    'company',
    'admin_notes',
  ];
  const plain = Object.fromEntries(names.map((name) => [name, rest[name] ?? null]));
  return {
    ...plain,
    notes: notes ?? null,
    labels: labels ?? [],
    children: children ?? 0,
    time: rest.time,
  };
}

/** `comments` is the older name of `notes`: what a patch says of one holds for the other. */
function withOneName(document: Body | undefined, patch: Body[]): Body | undefined {
  if (document === undefined) return undefined;
  const { comments, notes, ...rest } = document;
  const isNamed = (wanted: string) => patch.some(({ path }) => path === wanted);
  const [isNotes, isComments] = [isNamed('/notes'), isNamed('/comments')];
  if (isNamed('') || isNotes === isComments) return { ...rest, notes: notes ?? comments };
  return { ...rest, notes: isComments ? comments : notes };
}

/** A field that is null and one that is absent mean the same, and the document always has them all. */
const filledUp = (document: Body, blank: Body): Body => ({
  ...blank,
  ...document,
  labels: document.labels ?? [],
  children: document.children ?? 0,
  preorders: { packages: [], menus: [], ...document.preorders },
});

function send(id: string, patch: unknown): Promise<Answer> {
  return maitred().call(`/venues/bookings/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(patch),
  });
}

const BLANK = documentAfterCreation({ email: null, phone: null });

/** Sends one patch after the other to one booking; says how many were legal. */
async function bombard(patches: readonly unknown[]): Promise<number> {
  const { sql } = maitred();
  const booking = await booked(maitred());
  const { id } = booking;
  let document = documentAfterCreation(booking);
  let rows = await rowsOf(sql, id);
  let [applied, changed] = [0, 0];
  for (const [index, patch] of patches.entries()) {
    const answer = await send(id, patch);
    const words = `${JSON.stringify(patch).slice(0, 400)} → ${answer.text}`;
    if (answer.status === 200) {
      const after = withOneName(
        patchedBy({ ...document, comments: document.notes }, patch as []),
        patch as [],
      );
      assert.ok(after !== undefined, words);
      const strange = Object.getOwnPropertyNames(after).filter((name) => !Object.hasOwn(BLANK, name));
      assert.deepEqual(strange, [], words);
      document = filledUp(after, BLANK);
      const shown = (await read(maitred(), id, 'demo-operator')).json;
      const expected = shownOf(document);
      assert.deepEqual(
        Object.fromEntries(Object.keys(expected).map((name) => [name, shown[name]])),
        expected,
        words,
      );
      const now = await rowsOf(sql, id);
      if (now.booking !== rows.booking) changed += 1;
      rows = now;
      applied += 1;
    } else {
      assert.ok(answer.status >= 400 && answer.status < 500, words);
      if (index % 25 === 0) assert.deepEqual(await rowsOf(sql, id), rows, words);
    }
  }
  assert.deepEqual(await rowsOf(sql, id), rows);
  const events = await maitred().services.events.listOfBooking(sql, id);
  assert.equal(events.length, 1 + changed, 'each change is told, and nothing else');
  return applied;
}

test(`of ${PATCHES} hostile patches the legal ones are applied exactly and the others change nothing`, async () => {
  const bystander = await booked(maitred());
  const rows = await rowsOf(maitred().sql, bystander.id);
  const names = Object.getOwnPropertyNames(Object.prototype);
  const share = PATCHES / BOOKINGS;
  const counts = await Promise.all(
    Array.from({ length: BOOKINGS }, (_, index) =>
      bombard(patches.slice(index * share, (index + 1) * share)),
    ),
  );
  const applied = counts.reduce((sum, count) => sum + count, 0);
  assert.ok(applied > PATCHES / 100 && applied < PATCHES / 3, `${applied} were applied`);
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), names);
  assert.equal(({} as Body).polluted, undefined);
  assert.equal(([] as unknown as Body).polluted, undefined);
  assert.deepEqual(await rowsOf(maitred().sql, bystander.id), rows);
});

const many = (count: number, step: unknown) => Array.from({ length: count }, () => step);
const growing = { op: 'add', path: '/labels/-', value: 'x' };

for (const [what, patch, status] of [
  ['a thousand operations that end in too many labels', many(1000, growing), 400],
  ['more than a thousand operations', many(1001, { op: 'replace', path: '/comments', value: 'x' }), 400],
  ['a hundred thousand operations', many(100_000, 1), 413],
  ['a body beyond the limit', many(1, { ...growing, value: 'x'.repeat(70_000) }), 413],
  ['a pointer of 60 kB', many(1, { op: 'remove', path: '/x'.repeat(30_000) }), 400],
  [
    'a document of a thousand wrong fields',
    many(1, {
      op: 'replace',
      path: '',
      value: Object.fromEntries(many(1000, 0).map((_, index) => [`f${index}`, index])),
    }),
    400,
  ],
] as const) {
  test(`${what} is refused and changes nothing`, async () => {
    const { id } = await booked(maitred());
    const rows = await rowsOf(maitred().sql, id);
    assert.equal((await send(id, patch)).status, status);
    assert.deepEqual(await rowsOf(maitred().sql, id), rows);
  });
}

test('a thousand operations that are legal are applied, in their order', async () => {
  const { id } = await booked(maitred());
  const steps = many(1000, null).map((_, index) => ({
    op: 'replace',
    path: '/comments',
    value: `note ${index}`,
  }));
  const answer = await send(id, steps);
  assert.equal(answer.json.notes, 'note 999', answer.text);
});
