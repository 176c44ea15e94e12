/** `npm run connect-check`: tries a server that speaks `connect` from outside, as the gateway would use it. */
import { randomUUID } from 'node:crypto';
import { fill, tryBookings, tryLastPlace } from './bookings.ts';
import { tryChanges } from './changes.ts';
import { hasHolds, tryHolds } from './holds.ts';
import { assertUnknownProduct, findTestPlace, readCatalogue } from './place.ts';
import {
  type CheckOptions,
  Hopeless,
  hopeless,
  isRefused,
  type Session,
  saidBy,
  startSession,
} from './session.ts';

/** What is wrong, one sentence each that says what to do. What it books it removes again. */
export async function checkServer(options: CheckOptions): Promise<string[]> {
  const session = startSession(options);
  try {
    await tryAccess(session);
    const place = await findTestPlace(session, await readCatalogue(session));
    await assertUnknownProduct(session, place);
    await tryBookings(session, place);
    await tryChanges(session, place);
    if (await fill(session, place, place.first)) {
      await tryLastPlace(session, place, place.first);
      if (await hasHolds(session)) await tryHolds(session, place, place.first);
    }
  } catch (error) {
    if (!(error instanceof Hopeless)) throw error;
    session.find(error.message);
  } finally {
    await tidy(session);
  }
  return [...session.findings];
}

async function tryAccess(session: Session): Promise<void> {
  session.progress('Trying to get in');
  const path = `/bookings/${randomUUID()}`;
  const anonymous = await session.send('GET', path, { isAnonymous: true });
  if (anonymous.status !== 401)
    session.find(
      `GET /bookings/{id} without a token answered ${saidBy(anonymous)}: answer 401 to every call without one.`,
    );
  const received = await session.send('GET', path);
  if ([401, 403].includes(received.status))
    hopeless(
      `GET /bookings/{id} with the token answered ${received.status}: take the token as Authorization: Bearer, or give connect-check another one.`,
    );
  if (received.status !== 404 || !isRefused(received, 'not-found'))
    session.find(
      `GET /bookings/{id} of an unknown id answered ${saidBy(received)}: answer 404 with the reason not-found.`,
    );
}

/** Best effort: what cannot be removed has been reported by then. */
async function tidy(session: Session): Promise<void> {
  session.progress('Removing what was made');
  const known = new Set(session.findings);
  const paths = [
    ...[...session.made.bookings].map((id) => `/bookings/${id}`),
    ...[...session.made.holds].map((id) => `/holds/${id}`),
  ];
  for (const path of paths) await session.send('DELETE', path).catch(() => undefined);
  for (const finding of session.findings) if (!known.has(finding)) session.findings.delete(finding);
}
