/** Holds the last place of a full start: it must count, end, and become a booking. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Slot } from '../../contract.ts';
import { readAskedHold, readHold } from '../answers.ts';
import { AMEND, CREATE, freeOne, isStillFree, put } from './bookings.ts';
import { placeAt, type TestPlace } from './place.ts';
import { isDone, isRefused, type Received, type Session, saidBy } from './session.ts';

const LONG_MS = 120_000;
const SHORT_MS = 2_000;
/** Clocks of two machines never quite agree. */
const TOLERANCE_MS = 1_000;
const ABSENT = [404, 405, 501];

const putHold = (session: Session, place: TestPlace, slot: Slot, id: string, untilMs: number) =>
  session.send('PUT', `/holds/${id}`, {
    body: { ...placeAt(place, slot, id).body, expiresAt: new Date(untilMs).toISOString() },
  });

/** Whether the server has holds at all. */
export async function hasHolds(session: Session): Promise<boolean> {
  const quiet = new Set(session.findings);
  const answer = await session.send('DELETE', `/holds/${session.newId('holds')}`);
  if (!ABSENT.includes(answer.status)) return true;
  for (const finding of session.findings) if (!quiet.has(finding)) session.findings.delete(finding);
  session.progress('There are no holds: PUT and DELETE /holds/{id} are optional.');
  return false;
}

/** Begins and ends with a full start. */
export async function tryHolds(session: Session, place: TestPlace, slot: Slot): Promise<void> {
  session.progress('Holding the last place');
  await freeOne(session, slot);
  const id = session.newId('holds');
  const untilMs = Date.now() + LONG_MS;
  const held = await putHold(session, place, slot, id, untilMs);
  if (!isAsAsked(session, held, place, slot, id, untilMs)) return;
  if (
    await isTaken(
      session,
      place,
      slot,
      'PUT /holds/{id} keeps no place: a hold counts like a booking until it ends.',
    )
  ) {
    await tryExtending(session, id);
    await tryConfirming(session, place, slot, id);
  }
  await session.send('DELETE', `/holds/${id}`);
  await tryEnding(session, place, slot);
  await tryExpiry(session, place, slot);
}

function isAsAsked(
  session: Session,
  received: Received,
  place: TestPlace,
  slot: Slot,
  id: string,
  untilMs: number,
): boolean {
  if (!isDone(received)) {
    session.find(`PUT /holds/{id} for a free place answered ${saidBy(received)}: answer with the hold.`);
    return false;
  }
  const { request } = placeAt(place, slot, id);
  const hold = session.use('PUT /holds/{id}', () => readAskedHold(received.body, request));
  if (hold && hold.expiresMs > untilMs + TOLERANCE_MS)
    session.find(
      'PUT /holds/{id} keeps the place for longer than was asked for: `expiresAt` is the latest end.',
    );
  return hold !== undefined;
}

/** The place must be gone for others; if it is not, that is the finding. */
async function isTaken(session: Session, place: TestPlace, slot: Slot, sentence: string): Promise<boolean> {
  const other = session.newId('bookings');
  const isOffered = await isStillFree(session, place, slot);
  const received = await put(session, place, slot, other, CREATE);
  if (isDone(received) || isOffered) session.find(sentence);
  await session.send('DELETE', `/bookings/${other}`);
  return !isDone(received) && !isOffered;
}

async function tryExtending(session: Session, id: string): Promise<void> {
  const untilMs = Date.now() + 2 * LONG_MS;
  const body = { expiresAt: new Date(untilMs).toISOString() };
  const name = 'PUT /holds/{id} with `If-Match: *`';
  const extended = await session.send('PUT', `/holds/${id}`, { body, headers: AMEND });
  if (!isDone(extended))
    session.find(`${name} answered ${saidBy(extended)}: let the hold end later, and answer with it.`);
  else session.use(name, () => readHold(extended.body, id));
  const unknown = await session.send('PUT', `/holds/${session.newId('holds')}`, { body, headers: AMEND });
  if (!isRefused(unknown, 'hold-ended', 'not-found'))
    session.find(`${name} for an unknown id answered ${saidBy(unknown)}: refuse it as hold-ended.`);
}

async function tryConfirming(session: Session, place: TestPlace, slot: Slot, id: string): Promise<void> {
  session.made.bookings.add(id);
  const confirmed = await put(session, place, slot, id, CREATE, { holdId: id });
  if (!isDone(confirmed)) {
    session.find(
      `PUT /bookings/{id} with the \`holdId\` of a hold answered ${saidBy(confirmed)}: give the booking the place that is held for it.`,
    );
    return;
  }
  await session.send('DELETE', `/holds/${id}`);
  if (!isDone(await session.send('GET', `/bookings/${id}`)))
    session.find('DELETE /holds/{id} removed the booking that the hold has become: leave bookings alone.');
  await session.send('DELETE', `/bookings/${id}`);
  session.made.bookings.delete(id);
  if ((await isStillFree(session, place, slot)) === false)
    session.find(
      'PUT /bookings/{id} with a `holdId` leaves the hold there beside the booking: end the hold in the same transaction.',
    );
}

/** The start is full but for one place, before and after. */
async function tryEnding(session: Session, place: TestPlace, slot: Slot): Promise<void> {
  const sentences = {
    holds: 'DELETE /holds/{id} does not give the place back: it is free from then on.',
    bookings: 'DELETE /bookings/{id} leaves the hold with that id there: end it as well.',
  };
  for (const kind of ['holds', 'bookings'] as const) {
    const id = session.newId('holds');
    const held = await putHold(session, place, slot, id, Date.now() + LONG_MS);
    if (!isDone(held)) return;
    await session.send('DELETE', `/${kind}/${id}`);
    if ((await isStillFree(session, place, slot)) === false) session.find(sentences[kind]);
    await session.send('DELETE', `/holds/${id}`);
  }
}

/** The start is full but for one place. */
async function tryExpiry(session: Session, place: TestPlace, slot: Slot): Promise<void> {
  session.progress('Waiting for a hold to end');
  const id = session.newId('holds');
  const untilMs = Date.now() + SHORT_MS;
  const held = await putHold(session, place, slot, id, untilMs);
  if (!isDone(held)) return;
  await sleep(Math.max(0, untilMs - Date.now()) + TOLERANCE_MS);
  if ((await isStillFree(session, place, slot)) === false)
    session.find(
      'PUT /holds/{id} never ends: after `expiresAt` the place is free, whether or not a job has run.',
    );
  const late = await put(session, place, slot, id, CREATE, { holdId: id });
  session.made.bookings.add(id);
  if (!isRefused(late, 'hold-ended', 'not-found'))
    session.find(
      `PUT /bookings/{id} with a hold that has ended answered ${saidBy(late)}: refuse it as hold-ended.`,
    );
}
