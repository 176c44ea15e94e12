import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const today = Temporal.Now.plainDateISO('Europe/London');

interface Time {
  time: string;
  type: string;
  unavailableReasons?: string[];
}

async function ask(productId: string, daysAhead: number, query: string) {
  const date = today.add({ days: daysAhead });
  const answer = await maitred.call(`/venues/${productId}/availability?date=${date}&${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as { times: Time[]; noAvailabilityCode: string | null; deposit: object | null };
}

test('dinner for two at Soho Grill is instant and free from three to sixty days ahead', async () => {
  for (let days = 3; days <= 60; days += 1) {
    const { times, deposit } = await ask('1|house|soho-grill|dinner', days, 'partySize=2');
    assert.ok(times.length >= 19, `${days} days ahead`);
    assert.ok(
      times.every(({ type }) => type === 'book'),
      `${days} days ahead`,
    );
    assert.equal(deposit, null);
  }
});

test('dinner for nine at Soho Grill is an enquiry', async () => {
  const { times } = await ask('1|house|soho-grill|dinner', 5, 'partySize=9');
  assert.ok(times.length > 0);
  assert.ok(times.every(({ type }) => type === 'request'));
});

test('whatever the demo partner may sell can be had on some day of the coming fortnight', async () => {
  const products = await maitred.sql<{ id: string; guests: number }[]>`
    select product.id, coalesce(min_guests, 1) as guests
    from product join venue on venue.id = product.venue_id left join house_seating on product_id = product.id
    where operator_id <> 3 and closed_at is null`;
  for (const { id, guests } of products) {
    let offered = 0;
    // From the third day on, because private rooms want two days' notice.
    for (let days = 3; days <= 14 && offered === 0; days += 1) {
      offered = (await ask(id, days, `partySize=${guests}`)).times.length;
    }
    assert.ok(offered > 0, id);
  }
});

/** The first of some days ahead on which, and on the day before which, nobody is closed for Christmas. */
function openDay(candidates: number[]): number {
  const isChristmas = ({ month, day }: Temporal.PlainDate) => month === 12 && day === 25;
  const found = candidates.find(
    (days) => !isChristmas(today.add({ days })) && !isChristmas(today.add({ days: days - 1 })),
  );
  assert.ok(found !== undefined);
  return found;
}

test('at Anatolia Fire an hour is kept for the concierges, and on Fridays one for those who ring', async () => {
  const ahead = Array.from({ length: 21 }, (_, index) => index + 3);
  const days = openDay(ahead.filter((candidate) => today.add({ days: candidate }).dayOfWeek === 5));
  const query = 'partySize=2&includeUnavailable=true';
  const { times } = await ask('4|house|anatolia-fire|dinner', days, query);
  const reasonsAt = (time: string) => times.find((slot) => slot.time === time)?.unavailableReasons;
  assert.deepEqual(reasonsAt('18:45'), []);
  assert.deepEqual(reasonsAt('19:00'), ['OPRUL-N-008']);
  assert.deepEqual(reasonsAt('19:45'), ['OPRUL-N-008']);
  assert.deepEqual(reasonsAt('20:00'), ['OPRUL-N-004']);
  const dayBefore = await ask('4|house|anatolia-fire|dinner', days - 1, query);
  assert.deepEqual(dayBefore.times.find(({ time }) => time === '20:00')?.unavailableReasons, []);
});

test('while its floor is sanded the only room of Spreeblick cannot be hired', async () => {
  const query = 'partySize=40';
  const [before, during] = [openDay([29, 28, 27]), openDay([30, 31, 32])];
  assert.equal((await ask('5|house|spreeblick|private-hire', before, query)).noAvailabilityCode, null);
  const blocked = await ask('5|house|spreeblick|private-hire', during, query);
  assert.equal(blocked.noAvailabilityCode, 'FILTERED_BY_OPERATOR_RULES');
  const why = await ask('5|house|spreeblick|private-hire', during, `${query}&includeUnavailable=true`);
  assert.deepEqual([...new Set(why.times.flatMap((slot) => slot.unavailableReasons ?? []))], ['OPRUL-N-009']);
});
