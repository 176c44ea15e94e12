/** Follows the feed of changes over a few bookings. */
import { readChanges } from '../answers.ts';
import { AMEND, CREATE, put } from './bookings.ts';
import type { TestPlace } from './place.ts';
import { isDone, type Session, saidBy } from './session.ts';

const BOOKINGS = 3;
const MOST_PAGES = 1000;
const ABSENT = [404, 405, 501];

export async function tryChanges(session: Session, place: TestPlace): Promise<void> {
  session.progress('Following changes');
  const quiet = new Set(session.findings);
  const started = await session.send('GET', '/changes');
  if (ABSENT.includes(started.status)) {
    for (const finding of session.findings) if (!quiet.has(finding)) session.findings.delete(finding);
    session.progress('There is no feed of changes: GET /changes is optional.');
    return;
  }
  if (!isDone(started)) {
    session.find(`GET /changes answered ${saidBy(started)}: answer 200 with a cursor.`);
    return;
  }
  const begin = session.use('GET /changes', () => readChanges(started.body, null));
  if (!begin) return;

  const ids: string[] = [];
  for (let count = 0; count < BOOKINGS; count += 1) {
    const id = session.newId('bookings');
    const made = await put(session, place, place.last, id, CREATE);
    if (!isDone(made)) break;
    ids.push(id);
  }
  const first = await follow(session, begin.cursor);
  if (!first) return;
  const missing = ids.filter((id) => !first.seen.has(id));
  if (missing.length > 0)
    session.find(
      `GET /changes left out ${missing.length} of ${ids.length} bookings made after its cursor: name every booking that was made, changed or removed since.`,
    );
  const [one] = ids;
  if (one === undefined) return;
  await put(session, place, place.first, one, AMEND);
  const second = await follow(session, first.cursor);
  if (!second) return;
  if (!second.seen.has(one))
    session.find(
      'GET /changes did not name a booking that had been changed since its cursor: name it again.',
    );
  if (ids.slice(1).some((id) => second.seen.has(id)))
    session.find(
      'GET /changes named bookings again that had not changed since its cursor: move the cursor past what was told.',
    );
}

/** To the end of what there is now. */
async function follow(
  session: Session,
  from: string,
): Promise<{ seen: Set<string>; cursor: string } | undefined> {
  const seen = new Set<string>();
  let cursor = from;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const after = cursor;
    const received = await session.send('GET', `/changes?${new URLSearchParams({ after })}`);
    if (!isDone(received)) {
      session.find(
        `GET /changes?after= answered ${saidBy(received)}: answer 200 for every cursor that you gave.`,
      );
      return undefined;
    }
    const changes = session.use('GET /changes', () => readChanges(received.body, after));
    if (!changes) return undefined;
    for (const id of changes.bookingIds) seen.add(id);
    cursor = changes.cursor;
    if (!changes.hasMore) return { seen, cursor };
  }
  session.find('GET /changes never ends: set `hasMore` to false when there is no more.');
  return undefined;
}
