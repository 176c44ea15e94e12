import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { taken } from '../features/bookings/operator/desk-support.ts';
import { freeDay } from '../features/bookings/support.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { consolePages, listen } from '../support/pages/console.ts';

/** Calendar, layout and venues, as people use them. */

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;
const OWNER = 'owner@lamp.example';
const GRILL = '/manage/venues/1%7Chouse%7Csoho-grill';
const GRILL_PAGES = '/venues/1%7Chouse%7Csoho-grill';

describe('calendar, layout and venues in a real browser', { skip }, () => {
  let service: TestApp;
  let origin = '';

  before(async () => {
    service = await startTestApp();
    origin = await listen(service);
  });

  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
  });

  const open = consolePages(browser, { origin: () => origin, email: OWNER });
  const read = async (path: string) => (await service.call(path, { as: 'demo-operator' })).json;
  const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

  async function drag(page: Page, what: Locator, dx: number, dy: number): Promise<void> {
    const box = await what.boundingBox();
    assert.ok(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx / 2, y + dy / 2);
    await page.mouse.move(x + dx, y + dy);
    await page.mouse.up();
  }

  test('from nothing to a venue with tables and hours', async () => {
    const { page, complaints } = await open('/operators/1/venues');
    await page.getByRole('button', { name: 'Add a venue' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('The Copper Pot');
    await form.getByLabel('Part of town').fill('Bankside');
    await form.getByLabel('Town', { exact: true }).fill('London');
    await form.getByLabel('Latitude').fill('51.5, -0.1');
    assert.equal(await form.getByLabel('Longitude').inputValue(), '-0.1');
    assert.equal(await form.getByLabel('Key').inputValue(), 'the-copper-pot');
    await form.getByRole('button', { name: 'Add, then draw its tables' }).click();

    await page.getByRole('button', { name: 'Add the first table' }).click();
    await page.getByLabel('Guests, at most').fill('6');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Table 1,/ }).click();
    await page.keyboard.press('Control+d');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByRole('button', { name: /^Table 1,/ }).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await saved(page);
    const layout = await read('/manage/venues/1%7Chouse%7Cthe-copper-pot/layout');
    assert.deepEqual(
      layout.tables.map(({ name, maxCovers }: { name: string; maxCovers: number }) => [name, maxCovers]),
      [
        ['1', 6],
        ['2', 6],
      ],
    );
    assert.equal(layout.tables[1].x, layout.tables[0].x + 30 + 150);
    assert.equal(layout.combinations.length, 1);

    await page.goto(`${origin}/console/venues/1%7Chouse%7Cthe-copper-pot/calendar?tab=hours`);
    await page.getByRole('button', { name: 'Add hours' }).first().click();
    await page.getByRole('button', { name: 'Same every day' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await saved(page);
    const hours = await read('/manage/venues/1%7Chouse%7Cthe-copper-pot/hours');
    assert.deepEqual(hours.weekly[0].weekdays, [1, 2, 3, 4, 5, 6, 7]);

    await page.goto(`${origin}/console/operators/1/venues?steps=1%7Chouse%7Cthe-copper-pot`);
    await page.locator('.first-steps .is-done').nth(1).waitFor();
    // Tables and hours. That the operator works with a partner does not mean that this venue is sold.
    assert.equal(await page.locator('.first-steps .is-done').count(), 2);
    assert.deepEqual(complaints, []);
  });

  test('tables are dragged, turned and taken back, and leaving asks', async () => {
    const { page, complaints } = await open(`${GRILL_PAGES}/layout`);
    const table = page.getByRole('button', { name: /^Table D16,/ });
    await table.waitFor();
    await drag(page, table, 60, 40);
    await drag(page, page.locator('.plan-handle.turn .plan-dot'), 60, 60);
    await drag(page, page.locator('.plan-handle.resize .plan-dot'), 40, 40);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: 'Calendar' }).first().click();
    assert.equal(questions.length, 1);
    assert.match(page.url(), /layout$/);
    const before = (await read(`${GRILL}/layout`)).tables.find(
      ({ name }: { name: string }) => name === 'D16',
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await saved(page);
    const moved = (await read(`${GRILL}/layout`)).tables.find(({ name }: { name: string }) => name === 'D16');
    assert.ok(moved.x > before.x && moved.y > before.y);
    assert.equal(moved.x % 10, 0);
    assert.deepEqual([moved.rotation, moved.width], [before.rotation, before.width]);
    assert.deepEqual(complaints, []);
  });

  test('bookings that would lose their table are named before it is saved', async () => {
    const { tables } = await read(`${GRILL}/layout`);
    const [{ id, name }] = tables.filter((table: { name: string }) => table.name === 'D9');
    await taken(service, { date: freeDay(), guest: { lastName: 'Hopper' }, tableIds: [id] });
    const { page } = await open(`${GRILL_PAGES}/layout`);
    await page.getByRole('button', { name: new RegExp(`^Table ${name},`) }).click();
    await page.getByLabel('Takes new guests').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Hopper').waitFor();
    await dialog.getByText(`${name} takes no new guests`).first().waitFor();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await page.keyboard.press('Control+z');
  });

  test('a day is closed after its dry run, and opened again', async () => {
    const { id, date } = await taken(service, { date: freeDay(), guest: { lastName: 'Murray' } });
    const { page, complaints } = await open(`${GRILL_PAGES}/calendar?day=${date}`);
    await page.getByRole('button', { name: 'Close this day' }).click();
    await page.getByLabel('Reason').fill('Burst pipe');
    await page.getByRole('button', { name: 'See what it does' }).click();
    await page.getByText('Cancel 1 booking with 2 guests, and refund £0.00.').waitFor();
    assert.equal((await read(`${GRILL}/closures?from=${date}&to=${date}`)).data.length, 0);
    await page.getByRole('button', { name: 'Close and cancel 1 booking' }).click();
    await page.getByText('0 of 1 bookings cancelled').first().waitFor();
    await service.services.closures.workDue();
    await page.getByText('1 of 1 bookings cancelled').first().waitFor();
    assert.equal((await read(`/manage/operators/1/bookings/${id}`)).status, 'cancelled');
    await page.getByRole('button', { name: 'Open again' }).click();
    await page
      .getByRole('dialog', { name: 'Open again?' })
      .getByRole('button', { name: 'Open again' })
      .click();
    await eventually(async () => (await read(`${GRILL}/closures?from=${date}&to=${date}`)).data.length === 0);
    assert.deepEqual(complaints, []);
  });

  test('times are taken out of sale for one partner', async () => {
    const { page } = await open(`${GRILL_PAGES}/calendar?tab=sale&rule=new`);
    const form = page.getByRole('dialog');
    await form.getByRole('checkbox', { name: 'Demo Partner', exact: true }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Everything: not sold to Demo Partner').waitFor();
    const [rule] = (await read(`${GRILL}/availability-rules`)).data;
    assert.deepEqual([rule.type, rule.definition.weekdays], ['recurring_with_time', [5, 6]]);
    await page.getByRole('switch').click();
    await page.getByText('The rule is off').waitFor();
  });

  test('what a venue says of itself is changed, and staff may only look', async () => {
    const { page } = await open(`${GRILL_PAGES}/details`);
    await page.getByLabel('Telephone').fill('+44 20 7946 0000');
    await page.getByRole('button', { name: 'Save' }).click();
    await saved(page);
    assert.equal((await read(GRILL)).phoneNumber, '+44 20 7946 0000');

    const staff = await open(`${GRILL_PAGES}/details`, { email: 'staff@lamp.example' });
    await staff.page.getByLabel('Telephone').waitFor();
    assert.equal(await staff.page.getByLabel('Telephone').isDisabled(), true);
    assert.equal(await staff.page.getByRole('button', { name: 'Close for good' }).count(), 0);
    await staff.page.goto(`${origin}/console${GRILL_PAGES}/layout`);
    await staff.page.getByRole('img', { name: 'Floor plan' }).waitFor();
    assert.equal(await staff.page.getByRole('button', { name: 'Save' }).count(), 0);
    assert.deepEqual(staff.complaints, []);
  });

  test('every page fits a phone, and axe finds nothing serious', async () => {
    for (const path of [
      `${GRILL_PAGES}/calendar`,
      `${GRILL_PAGES}/calendar?tab=hours`,
      `${GRILL_PAGES}/calendar?tab=sale`,
      `${GRILL_PAGES}/layout`,
      `${GRILL_PAGES}/layout?tab=spaces&space=101`,
      `${GRILL_PAGES}/details`,
      '/operators/1/venues',
      '/operators/1/venues?venue=new',
    ]) {
      const { page, complaints } = await open(path, { width: 390 });
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate('document.scrollingElement.scrollWidth');
      assert.ok(Number(width) <= 390, `${path}: ${width}`);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        serious.map(({ id, nodes }) => [id, nodes.map(({ html: text }) => text).slice(0, 3)]),
        [],
        path,
      );
      assert.deepEqual(complaints, [], path);
      await page.close();
    }
  });
});
