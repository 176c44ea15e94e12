/** Nodes that are killed while a screen follows a diary on them: it goes on elsewhere and has missed nothing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tokenOf } from '../../bench/caller.ts';
import { type Body, freeDay, guest } from '../features/bookings/support.ts';
import { applied, diaryPath, openScreen, type ScreenEvent, sameThings } from '../features/diary/support.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { eventually } from '../support/eventually.ts';
import { repeats } from '../support/repeats.ts';
import { startMortalNode } from './booking-clients.ts';

const KILLS = repeats(20, 2);

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
});
after(() => database.drop());

test('a screen whose node is killed misses no change', async () => {
  const survivor = await startMortalNode(database.url);
  const operator = await tokenOf(survivor, 'demo-operator');
  const partner = await tokenOf(survivor, 'demo-partner');
  const date = freeDay();
  const readDiary = async (): Promise<Body> => {
    const headers = { authorization: `Bearer ${operator}` };
    const response = await fetch(survivor.address + diaryPath(date), { headers });
    assert.equal(response.status, 200);
    return (await response.json()) as Body;
  };
  const times = ['17:00', '18:30', '20:00', '21:00'];
  let number = 0;
  async function book(): Promise<void> {
    const time = times[number % times.length];
    number += 1;
    const path = `/venues/${encodeURIComponent('1|house|soho-grill|dinner')}/booking`;
    const response = await fetch(survivor.address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${partner}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...guest, date, time }),
    });
    const { id } = (await response.json()) as Body;
    // Every second one makes room again.
    if (response.ok && number % 2 === 0)
      await fetch(`${survivor.address}/venues/bookings/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${partner}` },
      });
  }
  const diary = await readDiary();
  const seen: ScreenEvent[] = [];
  let from: string = diary.position;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const victim = await startMortalNode(database.url);
    const screen = await openScreen(victim.address, { token: operator, date, from });
    let isBooking = true;
    const booking = (async () => {
      while (isBooking) await book();
    })();
    await eventually(() => screen.events.length > 1);
    victim.child.kill('SIGKILL');
    await victim.exit;
    await eventually(() => screen.isOver());
    isBooking = false;
    await booking;
    seen.push(...screen.events);
    from = screen.lastId();
  }
  const last = await openScreen(survivor.address, { token: operator, date, from });
  const settled = await readDiary();
  await eventually(() => {
    try {
      sameThings(settled, applied(diary, [...seen, ...last.events]));
      return true;
    } catch {
      return false;
    }
  });
  survivor.child.kill('SIGTERM');
  assert.equal(await survivor.exit, 0, 'a node with an open stream stops by itself');
  await eventually(() => last.isOver());
});
