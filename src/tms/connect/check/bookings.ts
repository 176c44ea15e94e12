/** Makes, repeats, changes and removes bookings, and fills a start to its last place. */
import { randomUUID } from 'node:crypto';
import { clockTime } from '../../../kernel/zone-time.ts';
import type { Slot } from '../../contract.ts';
import { Fault, readAskedBooking, readBooking } from '../answers.ts';
import { DETAILS, GUEST, isFree, PARTY, placeAt, slotsOn, type TestPlace } from './place.ts';
import { isDone, isRefused, type Received, type Session, saidBy } from './session.ts';

export const CREATE = { 'if-none-match': '*' };
export const AMEND = { 'if-match': '*' };
/** So many places at one start are filled at most. */
const MOST_PLACES = 100;
const RACERS = 5;

export const put = (
  session: Session,
  place: TestPlace,
  slot: Slot,
  id: string,
  headers: Record<string, string>,
  more = {},
) =>
  session.send('PUT', `/bookings/${id}`, {
    body: { ...placeAt(place, slot, id).body, ...DETAILS, ...more },
    headers,
  });

/** Whether the answer is the booking that was asked for; each difference is a finding. */
function isAsAsked(
  session: Session,
  name: string,
  received: Received,
  place: TestPlace,
  slot: Slot,
  id: string,
): boolean {
  if (!isDone(received)) {
    session.find(`${name} answered ${saidBy(received)}: answer with the booking.`);
    return false;
  }
  const answer = received.body as Record<string, unknown> | null | undefined;
  if (answer && typeof answer.id === 'string' && answer.id !== id) {
    session.find(
      `${name} answered with the id "${answer.id.slice(0, 50)}": keep the id of the path, and give your own as \`reference\`.`,
    );
    return false;
  }
  const { request, body } = placeAt(place, slot, id);
  const booking = session.use(name, () => readBooking(received.body, id));
  if (!booking) return false;
  if (booking.startMs !== slot.startMs) {
    session.find(
      `${name} answered with the start ${String(answer?.start)} where ${body.start} was asked for: book that start or refuse it.`,
    );
    return false;
  }
  if (booking.guests !== PARTY.adults + PARTY.children) {
    session.find(
      `${name} answered with a party of ${booking.guests} where ${PARTY.adults} adult and ${PARTY.children} child were asked for: keep adults and children.`,
    );
    return false;
  }
  return session.use(name, () => readAskedBooking(received.body, request)) !== undefined;
}

export async function tryBookings(session: Session, place: TestPlace): Promise<void> {
  session.progress('Making, repeating, changing and removing a booking');
  const { first, last } = place;
  const id = session.newId('bookings');
  const created = await put(session, place, first, id, CREATE);
  if (!isAsAsked(session, 'PUT /bookings/{id}', created, place, first, id)) return;
  const { reference } = readBooking(created.body, id);

  const repeated = await put(session, place, first, id, CREATE);
  if (!isDone(repeated))
    session.find(
      `PUT /bookings/{id}, sent a second time, answered ${saidBy(repeated)}: answer 200 with the booking that is there.`,
    );
  else if (referenceIn(repeated, id) !== reference)
    session.find(
      'PUT /bookings/{id}, sent a second time, made another booking: find the booking by our id first, and answer with it.',
    );
  await put(session, place, last, id, CREATE);
  const kept = await session.send('GET', `/bookings/${id}`);
  if (startIn(kept, id) === last.startMs)
    session.find(
      'PUT /bookings/{id} with `If-None-Match: *` changed a booking that was there: answer with it as it is.',
    );
  else if (isAsAsked(session, 'GET /bookings/{id}', kept, place, first, id)) checkGuest(session, kept);

  await tryAmending(session, place, id, reference);
  await tryRefusals(session, place);
  await tryRemoving(session, id);
}

function checkGuest(session: Session, { body }: Received): void {
  const { guest, notes } = body as { guest?: Record<string, unknown> | null; notes?: unknown };
  const lost = Object.entries(GUEST).filter(([name, value]) => guest?.[name] !== value);
  if (lost.length > 0)
    session.find(
      `GET /bookings/{id} does not have the guest's ${lost.map(([name]) => name).join(', ')}: store the guest and show it.`,
    );
  if (notes !== DETAILS.notes)
    session.find('GET /bookings/{id} does not have the notes: store them, and show them to the venue.');
}

async function tryAmending(session: Session, place: TestPlace, id: string, reference: string): Promise<void> {
  const name = 'PUT /bookings/{id} with `If-Match: *`';
  const amended = await put(session, place, place.last, id, AMEND);
  if (isAsAsked(session, name, amended, place, place.last, id)) {
    if (referenceIn(amended, id) !== reference)
      session.find(
        `${name} gave the booking another reference: a booking that is changed keeps its reference.`,
      );
    const found = await session.send('GET', `/bookings/${id}`);
    isAsAsked(session, 'GET /bookings/{id} after a change', found, place, place.last, id);
  }
  const unknown = session.newId('bookings');
  const missed = await put(session, place, place.first, unknown, AMEND);
  if (isDone(missed))
    session.find(
      `${name} made a booking that was not there: with that header, refuse an unknown id with 404 and the reason not-found.`,
    );
  else if (!isRefused(missed, 'not-found'))
    session.find(
      `${name} for an unknown id answered ${saidBy(missed)}: refuse it with 404 and the reason not-found.`,
    );
  await session.send('DELETE', `/bookings/${unknown}`);
}

async function tryRefusals(session: Session, place: TestPlace): Promise<void> {
  const { first } = place;
  const id = session.newId('bookings');
  const beside = { ...first, minute: first.minute + 1, startMs: first.startMs + 60_000 };
  const refused = await put(session, place, beside, id, CREATE);
  if (isDone(refused))
    session.find(
      `PUT /bookings/{id} at ${clockTime(beside.minute)}, which is no start, was accepted: refuse it as not-a-start.`,
    );
  const unheard = await put(session, place, first, id, CREATE, { productId: 'connect-check-unheard-of' });
  if (!isRefused(unheard, 'no-such-product'))
    session.find(
      `PUT /bookings/{id} for a product that does not exist answered ${saidBy(unheard)}: refuse it as no-such-product.`,
    );
  await session.send('DELETE', `/bookings/${id}`);
}

async function tryRemoving(session: Session, id: string): Promise<void> {
  const removed = await session.send('DELETE', `/bookings/${id}`);
  if (removed.status !== 204) session.find(`DELETE /bookings/{id} answered ${saidBy(removed)}: answer 204.`);
  const gone = await session.send('GET', `/bookings/${id}`);
  if (isDone(gone))
    session.find(
      'GET /bookings/{id} still has a booking after DELETE: answer 404 with the reason not-found.',
    );
  else if (!isRefused(gone, 'not-found') || gone.status !== 404)
    session.find(
      `GET /bookings/{id} after DELETE answered ${saidBy(gone)}: answer 404 with the reason not-found.`,
    );
  const again = await session.send('DELETE', `/bookings/${id}`, {
    name: 'DELETE /bookings/{id}, sent a second time,',
  });
  if (again.status !== 204)
    session.find(
      `DELETE /bookings/{id}, sent a second time, answered ${saidBy(again)}: answer 204, the booking is not there.`,
    );
  const never = await session.send('DELETE', `/bookings/${randomUUID()}`, {
    name: 'DELETE /bookings/{id} of an unknown id',
  });
  if (never.status !== 204)
    session.find(`DELETE /bookings/{id} of an unknown id answered ${saidBy(never)}: answer 204.`);
}

const tolerant = <Value>(read: () => Value): Value | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
};
const referenceIn = ({ body }: Received, id: string) => tolerant(() => readBooking(body, id).reference);
const startIn = ({ body }: Received, id: string) => tolerant(() => readBooking(body, id).startMs);

/** The start as availability has it now; undefined when that cannot be read. */
export async function isStillFree(
  session: Session,
  place: TestPlace,
  slot: Slot,
): Promise<boolean | undefined> {
  const days = await slotsOn(session, place, [slot.date]);
  return days && isFree(days.flat().find(({ startMs }) => startMs === slot.startMs));
}

/** Books the last place and tries one more; true when the start is full, as availability says. */
export async function fill(session: Session, place: TestPlace, slot: Slot): Promise<boolean> {
  session.progress(`Filling ${clockTime(slot.minute)} on ${slot.date}`);
  for (let places = 0; places < MOST_PLACES; places += 1) {
    const isFreeNow = await isStillFree(session, place, slot);
    if (isFreeNow === undefined) return false;
    const received = await put(session, place, slot, session.newId('bookings'), CREATE);
    if (isFreeNow && isDone(received)) continue;
    if (isFreeNow)
      session.find(
        `POST /availability offers a start as free that PUT refuses with ${saidBy(received)}: reckon availability from the bookings at this moment.`,
      );
    else if (isDone(received))
      session.find(
        'PUT /bookings/{id} took a booking for a start that availability has as taken: count places and book in one transaction, and refuse as taken.',
      );
    else if (isRefused(received, 'taken', 'paced')) return true;
    else session.find(`PUT /bookings/{id} at a full start answered ${saidBy(received)}: refuse it as taken.`);
    return false;
  }
  session.progress(`More than ${MOST_PLACES} places at one start: the last of them is not tried.`);
  return false;
}

/** Frees one place of a full start and lets several ask for it at once. */
export async function tryLastPlace(session: Session, place: TestPlace, slot: Slot): Promise<void> {
  session.progress('Asking for the last place five times at once');
  await freeOne(session, slot);
  if ((await isStillFree(session, place, slot)) === false)
    session.find(
      'POST /availability does not offer a place that DELETE has freed: reckon availability from the bookings at this moment.',
    );
  const ids = Array.from({ length: RACERS }, () => session.newId('bookings'));
  const answers = await Promise.all(ids.map((id) => put(session, place, slot, id, CREATE)));
  const lucky = answers.filter(isDone).length;
  if (lucky > 1)
    session.find(
      `PUT /bookings/{id} sold the last place ${lucky} times when asked at once: count places and book in one transaction.`,
    );
}

/** Removes one booking of those that fill the start. */
export async function freeOne(session: Session, slot: Slot): Promise<void> {
  for (const id of session.made.bookings) {
    const found = await session.send('GET', `/bookings/${id}`);
    if (!isDone(found) || startIn(found, id) !== slot.startMs) continue;
    await session.send('DELETE', `/bookings/${id}`);
    session.made.bookings.delete(id);
    return;
  }
}
