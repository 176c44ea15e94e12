/** The booking widget of examples/ as a guest uses it: from the search to a paid booking, on a phone and at a desk. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { Maitred } from '@maitred/client';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { tryPort } from '../../src/kernel/network.ts';
import { startExample, startSandbox } from '../examples/support.ts';
import { eventually } from '../support/eventually.ts';
import { launchBrowser, openPage } from '../support/pages/browser.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESK = { viewport: { width: 1440, height: 900 } };
/** It wants a menu chosen ahead, and a deposit of £20 a guest. */
const WITH_DEPOSIT = { venueId: '4|house|number-nine', name: 'Number Nine' };

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;

describe('the booking widget in a real browser', { skip }, () => {
  const started = new AsyncDisposableStack();
  let maitred: Maitred;
  let address: string;
  let widget: string;

  before(async () => {
    address = await startSandbox(started, { ROLE: 'api' });
    const credentials = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' };
    maitred = new Maitred({ baseUrl: address, ...credentials });
    const port = await tryPort('127.0.0.1', 0);
    widget = `http://127.0.0.1:${port}/`;
    const env = { MAITRED_URL: address, PORT: String(port) };
    const example = startExample(started, 'booking-widget/server.ts', { env });
    await eventually(() => example.lines().length > 0);
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await started.disposeAsync();
  });

  async function visit(device: BrowserContextOptions) {
    if (typeof browser === 'string') throw new Error(browser);
    const profile = await browser.newContext(device);
    const watched = await openPage(profile);
    watched.page.on('dialog', (dialog) => dialog.accept());
    await watched.page.goto(widget);
    return watched;
  }

  /** Looks from day to day until the venue is open. */
  async function find(page: Page, venue: string, days: number): Promise<void> {
    const date = Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();
    await page.getByLabel('Date').fill(date);
    const answered = page.waitForResponse(`${widget}api/search`);
    await page.getByRole('button', { name: 'Find tables' }).click();
    const { places } = await (await answered).json();
    if (places.some((place: { venue: string }) => place.venue === venue)) return;
    assert.ok(days < 60, `${venue} is never free`);
    await find(page, venue, days + 1);
  }

  const choose = (page: Page, venue: string) =>
    page
      .getByRole('button', { name: ` at ${venue}` })
      .first()
      .click();

  async function fillIn(page: Page, lastName: string): Promise<void> {
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill(lastName);
    await page.getByLabel('E-mail').fill('ada@example.com');
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  async function assertAccessible(page: Page): Promise<void> {
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    assert.deepEqual(found, []);
    assert.equal(await page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), false);
  }

  const bookingsOf = async (lastName: string) =>
    (await maitred.bookings.list().all()).filter((booking) => booking.lastName === lastName);

  for (const [name, device] of Object.entries({ phone: PHONE, desk: DESK })) {
    test(`a guest finds, holds, books, pays and cancels, on a ${name}`, async () => {
      const { page } = await visit(device);
      const lastName = `of the ${name}`;
      await find(page, WITH_DEPOSIT.name, 7);
      await assertAccessible(page);
      await choose(page, WITH_DEPOSIT.name);
      await heading(page, 'Your details');
      assert.match((await page.getByRole('timer').first().textContent()) ?? '', /^[45]:\d\d$/);
      await assertAccessible(page);
      await page.reload();
      await fillIn(page, lastName);
      await page.getByRole('button', { name: 'Book this table' }).dblclick();

      await heading(page, 'Pay the deposit');
      assert.equal((await bookingsOf(lastName)).length, 1);
      await assertAccessible(page);
      await page.reload();
      await page.getByLabel('that is declined').check();
      await press(page, 'Pay');
      await page.getByText('Your bank declined the payment.').waitFor();
      await page.getByLabel('whose bank asks you first').check();
      await press(page, 'Pay');
      await page.waitForURL(/\/payments\/sandbox\//);
      await press(page, 'Pay');

      await heading(page, 'Your table is booked');
      await page.getByText('You have paid £40.00.').waitFor();
      await assertAccessible(page);
      const [booking] = await bookingsOf(lastName);
      const { payments, status } = await maitred.bookings.get(booking?.id ?? '');
      const paid = payments.filter((payment) => payment.status === 'succeeded').map(({ amount }) => amount);
      assert.deepEqual([status, paid], ['confirmed', [4000]]);
      await page.reload();
      await heading(page, 'Your table is booked');
      await press(page, 'Cancel the booking');
      await heading(page, 'Your booking is cancelled');
      await page.getByText('£40.00 goes back to your card.').waitFor();
    });
  }

  test('a deposit before the confirmation confirms the booking', async () => {
    const admin = new Maitred({
      baseUrl: address,
      clientId: 'demo-admin',
      clientSecret: 'demo-admin-secret',
    });
    const mapping = `/manage/partners/1/mappings/${encodeURIComponent(WITH_DEPOSIT.venueId)}`;
    const { body: before } = await admin.request<object>('GET', mapping);
    await admin.request('PUT', mapping, { body: { ...before, deposit: 'before_confirmation' } });
    const { page, complaints } = await visit(DESK);
    await find(page, WITH_DEPOSIT.name, 20);
    await choose(page, WITH_DEPOSIT.name);
    await fillIn(page, 'Before');
    await press(page, 'Book this table');
    await page.getByText('Your booking is confirmed as soon as the deposit is paid.').waitFor();
    assert.equal((await bookingsOf('Before'))[0]?.status, 'pending');
    await press(page, 'Pay');
    await heading(page, 'Your table is booked');
    assert.equal((await bookingsOf('Before'))[0]?.status, 'confirmed');
    assert.deepEqual(complaints, []);
  });

  test('a hold that is lost leads back to the choice', async () => {
    const { page } = await visit(PHONE);
    await find(page, 'Soho Grill', 30);
    await choose(page, 'Soho Grill');
    await fillIn(page, 'Late');
    const [cookie] = await page.context().cookies();
    const [text = ''] = cookie?.value.split('.') ?? [];
    await maitred.holds.release(JSON.parse(Buffer.from(text, 'base64url').toString()).value);
    await press(page, 'Book this table');
    await page.getByText('We could not keep the table any longer.').waitFor();
    await heading(page, 'When would you like to come?');
    await choose(page, 'Soho Grill');
    await press(page, 'Book this table');
    await heading(page, 'Your table is booked');
  });

  test('a start that was given back or booked can be chosen again', async () => {
    const { page } = await visit(PHONE);
    await find(page, 'Soho Grill', 36);
    await choose(page, 'Soho Grill');
    await heading(page, 'Your details');
    const searched = () => page.waitForResponse(`${widget}api/search`);
    await Promise.all([searched(), press(page, 'Choose another')]);
    await choose(page, 'Soho Grill');
    await heading(page, 'Your details');
    await fillIn(page, 'Again');
    await press(page, 'Book this table');
    await heading(page, 'Your table is booked');
    await Promise.all([searched(), press(page, 'Book another table')]);
    await choose(page, 'Soho Grill');
    await heading(page, 'Your details');
  });

  test('the keyboard alone books a table', async () => {
    const { page, complaints } = await visit(DESK);
    await find(page, 'Soho Grill', 33);
    const focused = "document.activeElement.getAttribute('aria-label') ?? ''";
    for (let label = ''; !label.endsWith(' at Soho Grill'); label = await page.evaluate(focused))
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'Your details');
    for (const text of ['Grace', 'Keyboard', 'grace@example.com']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await heading(page, 'Your table is booked');
    assert.equal((await bookingsOf('Keyboard')).length, 1);
    assert.deepEqual(complaints, []);
  });
});
