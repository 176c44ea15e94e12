/** Spaces that the house cannot seat anybody in. */
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { book, bookingsApp, CELLAR, COPPER_ROOM, freeDay, PRIVATE } from './support.ts';

const app = bookingsApp({}, async ({ sql }) => {
  await sql`delete from house_space_zone where space_id = ${CELLAR}`;
  await sql`delete from house_area a using house_space_zone s where a.zone_id = s.zone_id and s.space_id = ${COPPER_ROOM}`;
});
const enquire = (spaceId: number) =>
  book(
    app(),
    { type: 'request', partySize: 12, spaceId, date: freeDay(), time: '13:00' },
    { productId: PRIVATE },
  );

test('an enquiry for a space without a zone is BOOK-N-011', async () => {
  assertProblem(await enquire(CELLAR), 422, 'BOOK-N-011');
});
test('an enquiry for a space whose zone has no areas is BOOK-N-012', async () => {
  assertProblem(await enquire(COPPER_ROOM), 422, 'BOOK-N-012');
});
