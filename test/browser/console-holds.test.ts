import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { BRUNCH, booked, COMPANY, DINNER } from '../features/bookings/support.ts';
import { bookBrunch, paid, refundsOf } from '../features/payments/support.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { consolePages, listen } from '../support/pages/console.ts';

/** Places that are kept and not booked yet: by partners, until a payment, and for those who wait. */

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;
const SOHO = encodeURIComponent('1|house|soho-grill');
const GARDEN = encodeURIComponent('1|house|garden-room');
const STAFF = { email: 'staff@lamp.example' };

describe('kept places in a real browser', { skip }, () => {
  let service: TestApp;
  let origin = '';
  /** In the morning two days ahead: all of the day is to come, whenever the tests run. */
  const morning = Temporal.Now.zonedDateTimeISO('Europe/London')
    .add({ days: 2 })
    .with({ hour: 9, minute: 30, second: 0 });
  const ahead = Temporal.Now.instant().until(morning.toInstant());
  const clock = () => Temporal.Now.instant().add(ahead);
  const date = morning.toPlainDate().add({ days: 3 }).toString();

  before(async () => {
    service = await startTestApp({ deps: { clock } });
    await service.sql`update venue_mapping set deposit = 'before_confirmation' where venue_id = '1|house|garden-room'`;
    origin = await listen(service);
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
  });

  const open = consolePages(browser, { origin: () => origin, email: 'owner@lamp.example', clock });
  const drawer = (page: Page) => page.getByRole('dialog').first();
  const ofOperator = async (path: string) =>
    (await service.call(`/manage/operators/1${path}`, { as: 'demo-operator' })).json;

  async function barriersOf(page: Page): Promise<string[]> {
    const axe = new AxeBuilder({ page }).setLegacyMode().disableRules('label-content-name-mismatch');
    const { violations } = await axe.analyze();
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  }

  test('a booking that waits for its deposit keeps its table, and can only be cancelled', async () => {
    const { id, status } = await bookBrunch(service, 2, { date, lastName: 'Hopper' });
    assert.equal(status, 'pending');
    const { page, complaints } = await open(`/venues/${GARDEN}/tonight?date=${date}`, STAFF);
    const block = page.locator('.tl-block.unpaid', { hasText: 'Hopper' });
    await block.waitFor();
    assert.match(
      (await block.getAttribute('aria-label')) ?? '',
      /Awaiting payment, Table L\d+, £20\.00 due by/,
    );
    await page.locator('.summary').getByText('1 awaiting payment').waitFor();
    assert.equal(await page.locator('.attention').getByText('Enquiry').count(), 0);
    assert.deepEqual(await barriersOf(page), []);
    await block.click();
    await drawer(page).getByText('Awaiting a payment of £20.00.').waitFor();
    const actions = drawer(page).getByRole('group', { name: 'Actions' }).getByRole('button');
    assert.deepEqual(await actions.allTextContents().then((all) => all.map((text) => text.trim())), [
      'Cancel booking',
    ]);
    await actions.first().click();
    await page
      .getByRole('dialog', { name: /^Cancel the booking/ })
      .getByRole('button', { name: 'Cancel booking' })
      .click();
    await block.waitFor({ state: 'detached' });
    assert.equal((await ofOperator(`/bookings/${id}`)).status, 'cancelled');
    assert.deepEqual(complaints, []);
  });

  test('what a partner holds is on the timeline, and staff can release it', async () => {
    const answer = await service.call(`/venues/${encodeURIComponent(DINNER)}/holds`, {
      method: 'POST',
      body: { date, time: '19:00', partySize: 2 },
    });
    assert.equal(answer.status, 201, answer.text);
    const { page, complaints } = await open(`/venues/${SOHO}/tonight?date=${date}`, STAFF);
    const held = page.locator('.tl-held');
    await held.waitFor();
    assert.match(
      (await held.getAttribute('aria-label')) ?? '',
      /^\w+: Held for Demo Partner, until \d\d:\d\d$/,
    );
    await page.locator('.attention').getByText('Demo Partner').waitFor();
    assert.deepEqual(await barriersOf(page), []);
    await held.click();
    const question = page.getByRole('dialog', { name: /^Held for Demo Partner/ });
    assert.match((await question.textContent()) ?? '', /19:00 · 2 people · Table/);
    await question.getByRole('button', { name: 'Release' }).click();
    await held.waitFor({ state: 'detached' });
    const hold = await service.call(`/venues/holds/${answer.json.id}`);
    assert.equal(hold.json.status, 'released');
    assert.deepEqual(complaints, []);
  });

  test('the waiting list: added, put first by keyboard, offered, booked, taken off', async () => {
    const { page, complaints } = await open(`/venues/${SOHO}/waitlist?date=${date}`, STAFF);
    await page.getByRole('heading', { name: 'No party is waiting' }).waitFor();
    for (const name of ['Ayre', 'Bell']) {
      await page.getByRole('button', { name: 'Add a party' }).first().click();
      await drawer(page).getByLabel('Last name').fill(name);
      await drawer(page).getByLabel('Phone').fill('+44 20 7946 0018');
      await drawer(page).getByRole('button', { name: 'Add a party' }).click();
      await page.locator('.waiting', { hasText: name }).waitFor();
    }
    const names = () => page.locator('.waiting strong').allTextContents();
    assert.deepEqual(await names(), ['Ayre', 'Bell']);
    await page.getByRole('button', { name: /^Move Bell/ }).focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('The order is changed').waitFor();
    await page.locator('.waiting').first().getByText('Bell').waitFor();
    assert.deepEqual(await names(), ['Bell', 'Ayre']);
    assert.deepEqual(await barriersOf(page), []);

    const bell = page.locator('.waiting', { hasText: 'Bell' });
    await bell.getByRole('button', { name: 'Offer now' }).click();
    await bell.getByText(/19:00 is kept until \d\d:\d\d/).waitFor();
    await bell.getByRole('button', { name: 'Book it' }).click();
    await page.getByText('Bell is booked').waitFor();
    await page.getByText('Booked, expired or taken off').click();
    await bell.getByRole('link', { name: 'Booked' }).waitFor();

    await page.getByRole('button', { name: 'Take Ayre off the list' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take off the list' }).click();
    await page.getByText('No party is waiting.').waitFor();
    const { data } = (
      await service.call(`/manage/venues/${SOHO}/waitlist?date=${date}`, { as: 'demo-operator' })
    ).json;
    const states = data.map((entry: { lastName: string; status: string }) => [entry.lastName, entry.status]);
    assert.deepEqual(Object.fromEntries(states), { Bell: 'booked', Ayre: 'removed' });
    assert.deepEqual(complaints, []);
  });

  test('a manager gives part of a payment back; staff are not asked', async () => {
    await service.sql`update venue_mapping set deposit = 'declared' where venue_id = '1|house|garden-room'`;
    const preorders = {
      packages: [{ id: 112, quantity: 2 }],
      menus: [{ id: 111, items: [{ id: 11101, quantity: 2 }] }],
    };
    const asked = { date, time: '11:00', partySize: 2, company: COMPANY, preorders };
    const { id } = await booked(service, asked, { productId: BRUNCH });
    await paid(service, id);
    const staff = await open(`/operators/1/bookings?booking=${id}`, STAFF);
    await drawer(staff.page).locator('.money').getByText('Paid').waitFor();
    assert.equal(await drawer(staff.page).getByRole('button', { name: 'Refund …' }).count(), 0);

    const { page } = await open(`/operators/1/bookings?booking=${id}`);
    await drawer(page).getByRole('button', { name: 'Refund …' }).click();
    const form = page.getByRole('dialog', { name: 'Give money back' });
    await form.getByText('At most £62.00').waitFor();
    await form.getByLabel('Amount').fill('100');
    await form.getByRole('button', { name: 'Refund £100.00' }).click();
    await form.getByRole('alert').getByText('BOOK-N-014').waitFor();
    await form.getByLabel('Amount').fill('12.50');
    await form.getByLabel('Reason').fill('Cold soup');
    assert.deepEqual(await barriersOf(page), []);
    await form.getByRole('button', { name: 'Refund £12.50' }).click();
    await form.waitFor({ state: 'detached' });
    const owed = await refundsOf(service, id);
    assert.deepEqual(
      owed.map(({ amountPence, reason }) => [amountPence, reason]),
      [[1250, 'operator']],
    );
  });
});
