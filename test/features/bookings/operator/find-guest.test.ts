/** How operators find bookings by their guests, and what of that is in the database. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createGuestHasher } from '../../../../src/features/bookings/guest-search/hashes.ts';
import { plainName, searchOf, termsOf } from '../../../../src/features/bookings/guest-search/terms.ts';
import { createKeyring } from '../../../../src/kernel/crypto.ts';
import { assertProblem } from '../../../support/app.ts';
import { someoneWaits } from '../../../support/databases/lock-waits.ts';
import { eventually } from '../../../support/eventually.ts';
import { addOperatorClient, patch, replacing } from '../amend/amending.ts';
import { BOOTH, type Body, booked, bookingsApp, freeDay } from '../support.ts';
import { act, look } from './manage-support.ts';

const maitred = bookingsApp({}, ({ sql }) => addOperatorClient(sql, 2));
const KEY = Buffer.alloc(32, 7);

async function find(guest: string, more = '', asking = {}): Promise<Body> {
  const answer = await look(maitred(), `?guest=${encodeURIComponent(guest)}${more}`, asking);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
const found = async (guest: string, more = '', asking = {}): Promise<string[]> =>
  (await find(guest, more, asking)).data.map(({ id }: Body) => id);
const hashesOf = async (id: string): Promise<string[]> => {
  const [row] = await maitred()
    .sql`select hashes::text[] as hashes from booking_guest_hash where booking_id = ${id}`;
  return row?.hashes ?? [];
};

test('a guest is found by the beginning of the name, by e-mail and by the end of the phone', async () => {
  const { id } = await booked(maitred(), {
    lastName: "O'Brien-Müller",
    email: 'Siobhan@Example.com',
    phone: '+44 20 7946 0123',
  });
  for (const search of ['ob', 'O’Brien', "o'brien", 'OBRIEN M', 'obrien-mu', 'O Brien Müll', 'obrienmuller'])
    assert.deepEqual(await found(search), [id], search);
  for (const search of ['siobhan@example.com', ' SIOBHAN@EXAMPLE.COM '])
    assert.deepEqual(await found(search), [id], search);
  for (const search of ['0123', '460123', '+44 20 7946 0123', '020 7946 0123', '(0)20-7946-0123'])
    assert.deepEqual(await found(search), [id], search);
  for (const search of ['brien', 'obrienmullers', 'Siobhan', 'siobhan@example.co', '012', '01234', '7946012'])
    if (search !== '012') assert.deepEqual(await found(search), [], search);
});

test('a search goes with other filters, pages and totals', async () => {
  const [date, other] = [freeDay(), freeDay()];
  const guest = { lastName: 'Featherstone', phone: null, email: null };
  const times = ['17:00', '18:00', '19:00', '20:00', '21:00'];
  const ids: string[] = [];
  for (const time of times) ids.push((await booked(maitred(), { ...guest, date, time })).id);
  await booked(maitred(), { ...guest, date: other, time: '19:00' });
  assert.equal((await find('feather')).meta.totalItems, 6);
  assert.deepEqual(await found('feather', `&from=${date}&to=${date}`), ids);
  assert.deepEqual(await found('feather', `&from=${date}&to=${date}&status=cancelled`), []);
  assert.deepEqual(
    await found('feather', `&from=${date}&to=${date}&pageSize=2&pageNumber=2`),
    ids.slice(2, 4),
  );
  assert.deepEqual(await found('feather', '&venueId=1|house|garden-room'), []);
});

test('what says too little to find anybody is refused', async () => {
  for (const guest of ['a', '', '12', '---', '123', '😀'])
    assertProblem(await look(maitred(), `?guest=${encodeURIComponent(guest)}`), 400, 'VALID-N-001');
});

test('a guest that was changed or forgotten is no longer found', async () => {
  const { id } = await booked(maitred(), { lastName: 'Quillfeather', email: 'q@example.com' });
  assert.deepEqual(await found('quill'), [id]);
  await patch(maitred(), id, [replacing('/lastName', 'Inkwell')]);
  assert.deepEqual([await found('quill'), await found('inkw')], [[], [id]]);
  const before = await hashesOf(id);
  await patch(maitred(), id, [replacing('/notes', 'By the fire')]);
  assert.deepEqual(await hashesOf(id), before);
  assert.equal((await act(maitred(), id, 'forget-guest')).status, 200);
  assert.deepEqual([await found('inkw'), await hashesOf(id)], [[], []]);
});

test('the job that forgets guests forgets what they are found by', async () => {
  const { id } = await booked(maitred(), { lastName: 'Longago' });
  await maitred().sql`update booking set starts_at = now() - interval '900 days' where id = ${id}`;
  assert.ok((await maitred().services.bookings.forgetOldGuests(30)) > 0);
  assert.deepEqual([await found('longago'), await hashesOf(id)], [[], []]);
});

test('an operator finds its own guests, and equal names of two operators have nothing in common', async () => {
  const guest = { lastName: 'Doppelganger', email: 'dd@example.com' };
  const own = await booked(maitred(), guest);
  const date = freeDay(5);
  const theirs = await booked(maitred(), { ...guest, date, time: '22:00' }, { productId: BOOTH });
  assert.deepEqual(await found('doppel'), [own.id]);
  assert.deepEqual(await found('doppel', '', { as: 'operator-2', operatorId: 2 }), [theirs.id]);
  const [a, b] = [await hashesOf(own.id), await hashesOf(theirs.id)];
  assert.ok(a.length > 5 && a.length === b.length);
  assert.deepEqual(
    a.filter((hash) => b.includes(hash)),
    [],
  );
});

test('nothing of a guest can be read in the hashes, and another key gives others', async () => {
  const { id } = await booked(maitred(), {
    lastName: 'Zyzzyva',
    email: 'zz@quagmire.example',
    phone: '+44 7700 900461',
  });
  const { sql } = maitred();
  const [dump] = await sql<
    [{ text: string }]
  >`select h::text as text from booking_guest_hash h where booking_id = ${id}`;
  const bytes = (await hashesOf(id)).map((hash) => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64BE(BigInt(hash));
    return buffer.toString('latin1');
  });
  for (const secret of ['zyz', 'quagmire', 'zz@', '900461', '0461'])
    assert.ok(
      ![dump.text.replace(id, ''), ...bytes].some((text) => text.toLowerCase().includes(secret)),
      secret,
    );
  const hasherOf = (key: Buffer) => createGuestHasher(createKeyring([key]).first);
  const [one, two] = [hasherOf(KEY), hasherOf(Buffer.alloc(32, 8))];
  const term = searchOf('Zyzzyva').term;
  assert.ok((await hashesOf(id)).includes(String(one.hashOf(1, term))));
  assert.notEqual(one.hashOf(1, term), two.hashOf(1, term));
  assert.notEqual(one.keyId, two.keyId);
});

test('a hash that belongs to somebody else shows nobody', async () => {
  const { id } = await booked(maitred(), { lastName: 'Collider' });
  const other = await booked(maitred(), { lastName: 'Innocent' });
  await maitred().sql`
    update booking_guest_hash set hashes = hashes || (select hashes from booking_guest_hash where booking_id = ${id})
    where booking_id = ${other.id}`;
  const { data, meta } = await find('collider');
  assert.deepEqual(
    data.map((each: Body) => each.id),
    [id],
  );
  assert.equal(meta.totalItems, 1);
});

test('bookings of before are hashed by a job, a piece at a time, whatever stands in between', async () => {
  const { sql, services } = maitred();
  const { id } = await booked(maitred(), { lastName: 'Backfill' });
  const broken = await booked(maitred(), { lastName: 'Unreadable' });
  await sql`update booking set guest = '\\x00' where id = ${broken.id}`;
  await sql`delete from booking_guest_hash`;
  assert.deepEqual(await found('backfill'), []);
  const stopped = new AbortController();
  stopped.abort();
  assert.equal(await services.bookings.hashGuests(stopped.signal), false);
  assert.equal(await services.bookings.hashGuests(new AbortController().signal), true);
  assert.deepEqual(await found('backfill'), [id]);
  assert.deepEqual(await hashesOf(broken.id), []);
  const progress = await services.bookings.hashProgress();
  assert.ok(progress?.finishedAt && progress.lookedAt > 5);
  await sql`delete from booking_guest_hash`;
  await sql`update guest_hash_progress set finished_at = now() - interval '2 hours'`;
  await services.bookings.hashGuests(new AbortController().signal);
  assert.deepEqual(await found('backfill'), [id], 'what nodes of the version before have written');
  await sql`update booking set guest = null where id = ${broken.id}`;
});

test('a guest who is forgotten while old ones are hashed stays forgotten; without the lock the hashes would stay', async () => {
  const { sql, services } = maitred();
  const forgetting = async (hashAll: () => Promise<unknown>, isWaiting: boolean) => {
    const { id } = await booked(maitred(), { lastName: 'Vanishing' });
    await sql`delete from booking_guest_hash where booking_id = ${id}`;
    await sql`update guest_hash_progress set finished_at = null, last_id = null`;
    const forget = await sql.reserve();
    await forget`begin`;
    await forget`update booking set guest = null where id = ${id}`;
    await forget`delete from booking_guest_hash where booking_id = ${id}`;
    const hashing = hashAll();
    if (isWaiting) await eventually(() => someoneWaits(sql));
    else await hashing;
    await forget`commit`;
    forget.release();
    await hashing;
    return hashesOf(id);
  };
  assert.deepEqual(
    await forgetting(() => services.bookings.hashGuests(new AbortController().signal), true),
    [],
  );
  const unlocked = () => sql`
    insert into booking_guest_hash (booking_id, operator_id, key_id, hashes)
    select id, operator_id, 1, '{1}' from booking b where guest is not null
      and not exists (select from booking_guest_hash where booking_id = b.id)`;
  assert.deepEqual(await forgetting(async () => void (await unlocked()), false), ['1']);
  await sql`delete from booking_guest_hash where key_id = 1`;
});

test('every beginning of a name finds it, and nothing else does', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(name, fc.nat(20), (lastName, length) => {
      const plain = [...plainName(lastName)];
      const terms = termsOf({ lastName, email: null, phone: null }).filter(({ kind }) => kind === 'name');
      for (const { text } of terms) assert.ok(plain.join('').startsWith(text));
      const beginning = plain.slice(0, 2 + length).join('');
      if (plain.length < 2 || !/\p{L}/u.test(beginning)) return;
      const guest = {
        firstName: '',
        lastName,
        email: null,
        phone: null,
        company: null,
        labels: [],
        comments: null,
        adminNotes: null,
      };
      const { term, matches } = searchOf(beginning);
      if (term.kind !== 'name') return;
      assert.ok(matches(guest));
      assert.ok(
        terms.some(({ text }) => text === term.text),
        beginning,
      );
    }),
  );
});
