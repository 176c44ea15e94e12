import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { edit, taken } from '../features/bookings/operator/desk-support.ts';
import { booked, freeDay } from '../features/bookings/support.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { consolePages, DEMO_PASSWORD, listen } from '../support/pages/console.ts';

/** Bookings, enquiries and the own account, as people use them. */

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;
const OWNER = 'owner@lamp.example';

describe('the desk in a real browser', { skip }, () => {
  let service: TestApp;
  let origin = '';

  /** Tomorrow at the beginning of the evening, whenever the tests run: for the service and for the pages. */
  const evening = Temporal.Now.zonedDateTimeISO('Europe/London')
    .add({ days: 1 })
    .with({ hour: 18, minute: 2 });
  const ahead = Temporal.Now.instant().until(evening.toInstant());
  const clock = () => Temporal.Now.instant().add(ahead);

  before(async () => {
    service = await startTestApp({ deps: { clock } });
    origin = await listen(service);
  });

  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
  });

  const open = consolePages(browser, { origin: () => origin, email: OWNER, clock });

  const drawer = (page: Page) => page.getByRole('dialog').first();
  const read = async (id: string) =>
    (await service.call(`/manage/operators/1/bookings/${id}`, { as: 'demo-operator' })).json;

  test('a booking is found by its guest, changed after a dry run, and its history says so', async () => {
    const guest = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
    const { id } = await taken(service, { date: freeDay(), guest });
    const { page, complaints } = await open('/operators/1/bookings');
    await page.getByLabel('Guest or number').fill('Hopp');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('button', { name: 'Grace Hopper' }).click();
    assert.equal(new URL(page.url()).searchParams.get('booking'), id);
    await drawer(page).getByRole('button', { name: 'Change' }).click();
    assert.equal(await drawer(page).getByRole('button', { name: 'Save' }).isDisabled(), true);
    await drawer(page).getByLabel('Adults').fill('4');
    await drawer(page).getByText('A mail goes to grace@example.com.').waitFor();
    assert.equal((await read(id)).partySize, 2);
    await drawer(page).getByRole('button', { name: 'Save' }).click();
    await drawer(page).locator('.booking-summary .tag', { hasText: '4 people' }).waitFor();
    assert.equal((await read(id)).partySize, 4);
    await drawer(page).getByText('History', { exact: true }).click();
    await drawer(page).locator('.history').getByText('Olive Lamp').waitFor();
    await page.goBack();
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(complaints, []);
  });

  test('a party leaves with one tap, and undo brings it back', async () => {
    const { id } = await taken(service, { origin: 'walk_in', time: undefined, guest: undefined });
    const { page } = await open(`/operators/1/bookings?booking=${id}`, { email: 'staff@lamp.example' });
    await drawer(page).getByRole('button', { name: 'Left' }).click();
    await drawer(page).getByText('Walk-in has left').waitFor();
    assert.equal((await read(id)).visit.state, 'left');
    await drawer(page).getByRole('button', { name: 'Undo' }).click();
    await drawer(page).locator('.booking-summary .tag.seated').waitFor();
    assert.equal((await read(id)).visit.state, 'seated');
    assert.equal(await drawer(page).getByRole('button', { name: 'Forget this guest' }).count(), 0);
  });

  test('a change on top of another one shows both and saves what was chosen', async () => {
    const { id } = await taken(service, { date: freeDay() });
    const { page } = await open(`/operators/1/bookings?booking=${id}`);
    await drawer(page).getByRole('button', { name: 'Change' }).click();
    await drawer(page).getByLabel('Notes').fill('By the window');
    await drawer(page).getByText('tell the guest yourself').waitFor();
    assert.equal((await edit(service, id, { time: '20:00' })).status, 200);
    await drawer(page).getByRole('button', { name: 'Save' }).click();
    await drawer(page).getByText('Another person has changed this booking meanwhile').waitFor();
    assert.match((await drawer(page).locator('.changes').textContent()) ?? '', /Time\s*19:00\s*→\s*20:00/);
    await drawer(page).getByRole('button', { name: 'Keep my entries' }).click();
    await drawer(page).getByRole('button', { name: 'Save' }).click();
    await drawer(page).locator('.booking-note', { hasText: 'By the window' }).waitFor();
    assert.deepEqual([(await read(id)).notes, (await read(id)).time], ['By the window', '20:00']);
  });

  test('cancelling says what goes back and who is told, and can be left', async () => {
    const { id } = await booked(service, { date: freeDay(), time: '19:00', depositAmount: 2000 });
    const { page } = await open(`/operators/1/bookings?booking=${id}`);
    await drawer(page).getByRole('button', { name: 'Cancel booking' }).click();
    const question = page.getByRole('dialog', { name: /^Cancel the booking of/ });
    assert.match(
      (await question.textContent()) ?? '',
      /Demo Partner has taken a deposit of £20\.00.*Demo Partner is told/s,
    );
    await question.getByRole('button', { name: 'Go back' }).click();
    assert.equal((await read(id)).status, 'confirmed');
    await drawer(page).getByRole('button', { name: 'Cancel booking' }).click();
    await question.getByRole('button', { name: 'Cancel booking' }).click();
    await drawer(page).locator('.booking-summary .tag.cancelled').waitFor();
    assert.equal((await read(id)).status, 'cancelled');
  });

  test('an enquiry is accepted with a message, another is rejected', async () => {
    const date = freeDay();
    const asked = { date, time: '19:00', partySize: 6, type: 'request' };
    const first = await booked(service, { ...asked, lastName: 'First' });
    const second = await booked(service, { ...asked, lastName: 'Second' });
    const { page } = await open('/operators/1/enquiries');
    await page.getByRole('button', { name: /First/ }).click();
    const view = page.locator('.inbox-view');
    await view.getByText('A table is free at 19:00.').waitFor();
    await view.getByLabel('Message to Demo Partner').fill('We look forward to it.');
    await view.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    await view.locator('.messages').getByText('We look forward to it.').waitFor();
    assert.equal((await read(first.id)).status, 'confirmed');
    await page.getByRole('button', { name: /Second/ }).click();
    await view.getByRole('button', { name: 'Reject' }).click();
    assert.match((await page.getByRole('dialog').textContent()) ?? '', /without a message/);
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await view.locator('.booking-summary .tag.cancelled').waitFor();
    assert.equal((await read(second.id)).status, 'rejected');
  });

  test('the pages fit a phone, and axe finds nothing serious', async () => {
    const { id } = await booked(service, { date: freeDay(), time: '19:00' });
    for (const path of [
      `/operators/1/bookings?booking=${id}`,
      '/operators/1/bookings',
      '/operators/1/enquiries?show=answered',
      '/account',
    ]) {
      const { page, complaints } = await open(path, { width: 390 });
      await page.locator('.panel, .booking-table, .inbox, .empty').first().waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(await page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), false, path);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        serious.map((one) => [one.id, one.nodes.map(({ html }) => html)]),
        [],
        path,
      );
      assert.deepEqual(complaints, [], path);
      await page.close();
    }
  });

  test('a person decides what comes by mail, and a new password signs out', async () => {
    const { page } = await open('/account', { email: 'staff@lamp.example' });
    const news = page.getByRole('switch', { name: 'New bookings' });
    const wasOn = await news.isChecked();
    await news.click();
    await page.getByText('Saved').waitFor();
    await page.reload();
    assert.equal(await page.getByRole('switch', { name: 'New bookings' }).isChecked(), !wasOn);
    await page.getByLabel('Present password').fill(DEMO_PASSWORD);
    await page.getByLabel('New password').fill('lanterns over quiet water');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByText('you are signed out everywhere').waitFor();
  });
});
