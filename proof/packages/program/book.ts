/** What a user of the client writes. It is type-checked with the installed package, compiled, and run everywhere. */
import { isProblem, Maitred, type MaitredOptions, signWebhook, verifyWebhook } from '@maitred/client';

export interface Outcome {
  status: string;
  /** The code that the same booking got the second time. */
  secondTime: string;
  venues: number;
  webhook: string;
}

export async function bookOnce(options: MaitredOptions, date: string): Promise<Outcome> {
  const maitred = new Maitred(options);
  const names: string[] = [];
  for await (const venue of maitred.venues.list({ city: 'London', pageSize: 5 })) names.push(venue.name);

  const { tables } = await maitred.availability.findTables({
    city: 'London',
    date,
    time: '19:30',
    partySize: 2,
  });
  const table = tables.find(({ type }) => type === 'book');
  if (!table) throw new Error(`Nothing is free on ${date}.`);
  const hold = await maitred.holds.create(table.compositeId, { date, time: table.time, partySize: 2 });
  const guest = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const booking = await maitred.holds.book(hold, guest);

  let secondTime = 'it was booked twice';
  try {
    await maitred.holds.book(hold, guest);
  } catch (error) {
    if (!isProblem(error)) throw error;
    secondTime = error.code;
  }
  return { status: booking.status, secondTime, venues: names.length, webhook: await checkWebhook() };
}

/** Signed and verified with the cryptography of the platform. */
async function checkWebhook(): Promise<string> {
  const secret = `whsec_${btoa('a secret of thirty-two characters')}`;
  const body = JSON.stringify({ eventType: 'webhook.ping', timestamp: new Date().toISOString() });
  const headers = await signWebhook({ id: 'event-1', body, secrets: secret });
  return (await verifyWebhook({ headers, body, secrets: secret })).eventType;
}

/** The control of the type check: a compiler that has not seen the types of the client complains about the comment. */
export const wrong = (maitred: Maitred) =>
  // @ts-expect-error A party is a number, and a guest has a name.
  maitred.bookings.create('1|house|soho-grill|dinner', { type: 'book', partySize: 'two' });
