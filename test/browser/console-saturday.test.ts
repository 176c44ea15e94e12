import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { listen, openConsole, saturdayClock } from '../support/pages/console.ts';

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;

const SOHO = '1|house|soho-grill';
const TONIGHT = `/console/venues/${encodeURIComponent(SOHO)}/tonight`;
const HOST = 'staff@lamp.example';
const MANAGER = 'owner@lamp.example';

describe('a Saturday night in the console', { skip, concurrency: false }, () => {
  const clock = saturdayClock();
  const date = clock().toZonedDateTimeISO('Europe/London').toPlainDate().toString();
  let service: TestApp;
  let origin = '';

  before(async () => {
    service = await startTestApp({ deps: { clock } });
    origin = await listen(service);
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
  });

  async function profileOf(): Promise<BrowserContext> {
    if (typeof browser === 'string') throw new Error(browser);
    return browser.newContext({
      viewport: { width: 1400, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/London',
    });
  }

  async function openEvening(
    email: string,
    profile?: BrowserContext,
  ): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await openConsole(profile ?? (await profileOf()), origin, email);
    await page.clock.install({ time: clock().epochMilliseconds });
    await page.goto(`${origin}${TONIGHT}`);
    await page.locator('.tl-name', { hasText: 'W1' }).waitFor();
    return { page, complaints };
  }

  const call = (path: string, method: 'POST' | 'PUT' | 'GET', body?: unknown, as = 'demo-operator') =>
    service.call(path, { method, as, ...(body !== undefined && { body }) });

  async function take(body: Record<string, unknown>): Promise<{ id: string }> {
    const whole = {
      productKey: 'dinner',
      origin: 'phone',
      date,
      partySize: 2,
      overrides: ['notice'],
      ...body,
    };
    const answer = await call(`/manage/venues/${encodeURIComponent(SOHO)}/bookings`, 'POST', whole);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  }

  const read = async (id: string) => (await call(`/manage/operators/1/bookings/${id}`, 'GET')).json;
  const tableId = async (name: string): Promise<number> => {
    const { json } = await call(`/manage/venues/${encodeURIComponent(SOHO)}/tables`, 'GET');
    return json.data.find((table: { name: string }) => table.name === name).id;
  };

  const block = (page: Page, name: string) => page.locator('.tl-block', { hasText: name });
  const toast = (page: Page) => page.locator('.toast');

  /** Middle of the cell of a table at a time. */
  async function cell(page: Page, table: string, time: string): Promise<{ x: number; y: number }> {
    const row = await page
      .locator('.tl-name.table', { hasText: new RegExp(`^\\s*${table}\\b`) })
      .boundingBox();
    const hour = page.locator('.tl-head span', { hasText: `${time.slice(0, 2)}:00` });
    const next = page.locator('.tl-head span', { hasText: `${Number(time.slice(0, 2)) + 1}:00` });
    const [from, to] = [await hour.boundingBox(), await next.boundingBox()];
    assert.ok(row && from && to);
    const hourPx = to.x - from.x;
    return { x: from.x - 4 + (Number(time.slice(3)) / 60) * hourPx + hourPx / 8, y: row.y + row.height / 2 };
  }

  /** Presses at the beginning of a booking, so that it follows the pointer by its start. */
  async function grab(page: Page, booking: Locator): Promise<void> {
    let box: Awaited<ReturnType<Locator['boundingBox']>> = null;
    await eventually(async () => {
      // A change that is told at this moment replaces the element.
      await booking.scrollIntoViewIfNeeded();
      box = await booking.boundingBox();
      assert.ok(box);
    });
    const { x, y, height } = box ?? assert.fail();
    await page.mouse.move(x + 8, y + height / 2);
    await page.mouse.down();
  }

  async function dragTo(page: Page, to: { x: number; y: number }): Promise<void> {
    await page.mouse.move(to.x - 30, to.y, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
  }

  test('the story by mouse', async () => {
    const { page, complaints } = await openEvening(HOST);

    // A booking by telephone: size, time, name.
    await page.getByRole('button', { name: 'New booking' }).click();
    await page.getByLabel('Guests').fill('2');
    await page.getByRole('button', { name: '20:00', exact: true }).click();
    await page.getByLabel('Last name').fill('Meyer');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await block(page, 'Meyer').waitFor();

    // A booking of a partner arrives by itself.
    const partnerBooking = await service.call(`/venues/${encodeURIComponent(`${SOHO}|dinner`)}/booking`, {
      method: 'POST',
      body: {
        type: 'book',
        partySize: 4,
        dateTime: `${date}T20:30:00+00:00`,
        firstName: 'Chiara',
        lastName: 'Rossi',
        email: 'chiara.rossi@example.com',
        phone: '+44 20 7946 0018',
        partnerBookingId: 'saturday-1',
      },
    });
    assert.equal(partnerBooking.status, 201, partnerBooking.text);
    await block(page, 'Rossi').waitFor({ timeout: 1_000 });

    // To another table: the answer of the service is under the pointer before it is dropped.
    const okafor = await take({
      time: '19:30',
      guest: { lastName: 'Okafor' },
      tableIds: [await tableId('W2')],
    });
    await block(page, 'Okafor').waitFor();
    await grab(page, block(page, 'Okafor'));
    await dragTo(page, await cell(page, 'W3', '19:30'));
    await page.locator('.tl-ghost.fine').waitFor();
    await page.mouse.up();
    await toast(page).getByText('Okafor was moved').waitFor();
    await eventually(async () => assert.deepEqual((await read(okafor.id)).tmsTables, ['W3']));

    // And back with U.
    await page.keyboard.press('u');
    await eventually(async () => assert.deepEqual((await read(okafor.id)).tmsTables, ['W2']));

    // To another time.
    await grab(page, block(page, 'Okafor'));
    await dragTo(page, await cell(page, 'W2', '21:00'));
    await page.locator('.tl-ghost.fine').waitFor();
    await page.mouse.up();
    await eventually(async () => assert.equal((await read(okafor.id)).time, '21:00'));

    // Too many for the counter: refused in the words of the service, and nothing changes.
    const lind = await take({
      time: '19:15',
      partySize: 4,
      guest: { lastName: 'Lind' },
      tableIds: [await tableId('W4')],
    });
    await block(page, 'Lind').waitFor();
    await grab(page, block(page, 'Lind'));
    await dragTo(page, await cell(page, 'C1', '19:15'));
    await page.locator('.tl-ghost.refused .code').waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    assert.deepEqual((await read(lind.id)).tmsTables, ['W4']);

    // One onto the other: they swap.
    await grab(page, block(page, 'Lind'));
    const target = await block(page, 'Okafor').boundingBox();
    assert.ok(target);
    await dragTo(page, { x: target.x + target.width / 2, y: target.y + target.height / 2 });
    await page.locator('.tl-ghost', { hasText: 'Swap tables with Okafor' }).waitFor();
    await page.locator('.tl-ghost.fine').waitFor();
    await page.mouse.up();
    await eventually(async () => assert.deepEqual((await read(lind.id)).tmsTables, ['W2']));

    // The edge: longer.
    const before = await read(okafor.id);
    const box = await block(page, 'Okafor').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 40, box.y + box.height / 2, { steps: 5 });
    await page.locator('.tl-ghost.fine').waitFor();
    await page.mouse.up();
    await eventually(async () => assert.ok((await read(okafor.id)).duration > before.duration));

    // Over empty space: a block.
    const [from, to] = [await cell(page, 'W5', '18:45'), await cell(page, 'W6', '20:00')];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 5 });
    await page.mouse.up();
    await page.getByLabel('Reason').fill('Wobbly legs');
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await page.locator('.tl-blocked', { hasText: 'Wobbly legs' }).first().waitFor();

    // A walk-in: two taps.
    await page.getByRole('button', { name: 'Walk-in' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '2', exact: true }).click();
    await block(page, 'Walk-in').waitFor();
    assert.match((await block(page, 'Walk-in').getAttribute('class')) ?? '', /seated/);

    // Arrived, seated, left: one tap each, from the drawer or by key.
    await block(page, 'Lind').focus();
    await page.keyboard.press('a');
    await eventually(async () => assert.equal((await read(lind.id)).visit.state, 'arrived'));
    await page.keyboard.press('s');
    await eventually(async () => assert.equal((await read(lind.id)).visit.state, 'seated'));
    assert.match((await block(page, 'Lind').getAttribute('class')) ?? '', /seated/);
    await page.keyboard.press('u');
    await eventually(async () => assert.equal((await read(lind.id)).visit.state, 'arrived'));
    // The browser reports the one move that was refused, and nothing else.
    assert.deepEqual(
      complaints.filter((complaint) => !/status of 4/.test(complaint)),
      [],
    );
    await page.context().close();
  });

  test('a booking by keyboard alone', async () => {
    const { page, complaints } = await openEvening(HOST);
    await page.keyboard.press('n');
    await page.keyboard.type('3');
    await eventually(async () =>
      assert.ok(await page.getByRole('button', { name: '21:30', exact: true }).isEnabled()),
    );
    // The size has the focus; the starts and the name follow.
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement?.textContent?.trim()')) === '21:30') break;
    }
    await page.keyboard.press('Space');
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      if (
        await page
          .getByLabel('Last name')
          .evaluate((element) => element === element.ownerDocument.activeElement)
      )
        break;
    }
    await page.keyboard.type('Keller');
    await page.keyboard.press('Enter');
    await block(page, 'Keller').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The arrows reach it, and Enter opens it.
    await block(page, 'Keller').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Keller').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  test('two screens see each other’s changes within a second', async () => {
    const [one, two] = [await openEvening(HOST), await openEvening(MANAGER)];
    const dubois = await take({
      time: '19:45',
      guest: { lastName: 'Dubois' },
      tableIds: [await tableId('D1')],
    });
    await Promise.all([block(one.page, 'Dubois').waitFor(), block(two.page, 'Dubois').waitFor()]);
    await block(one.page, 'Dubois').focus();
    await one.page.keyboard.press('a');
    await two.page.locator('.tl-block.arrived', { hasText: 'Dubois' }).waitFor({ timeout: 1_000 });
    assert.equal((await read(dubois.id)).visit.state, 'arrived');
    assert.deepEqual([...one.complaints, ...two.complaints], []);
    await one.page.context().close();
    await two.page.context().close();
  });

  test('a lost connection is said, and heals with what happened meanwhile', async () => {
    const { page } = await openEvening(HOST);
    await page.context().setOffline(true);
    await service.app.server.closeAllConnections();
    await page.clock.runFor(3_000);
    await page.getByText('No connection').waitFor();
    await take({ time: '21:15', guest: { lastName: 'Novak' }, tableIds: [await tableId('D2')] });
    await page.context().setOffline(false);
    await page.clock.runFor(5_000);
    await block(page, 'Novak').waitFor({ timeout: 15_000 });
    await page.getByText('No connection').waitFor({ state: 'detached' });
    await page.context().close();
  });
});

/** Asks until it holds: the page changes first and the service a moment later. */
async function eventually(holds: () => Promise<void>): Promise<void> {
  const until = performance.now() + 10_000;
  for (;;) {
    try {
      await holds();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
