import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { bookBrunch, paid } from '../features/payments/support.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { launchBrowser, type WatchedPage } from '../support/pages/browser.ts';
import { listen, openConsole } from '../support/pages/console.ts';
import { answer, type Receiver, startReceiver } from '../support/peers/receiver.ts';

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;

const OWNER = 'owner@lamp.example';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const PAGES = [
  'rules',
  'rules?rule=new',
  'partners',
  'reports',
  'money',
  'people',
  'audit',
  'systems',
  'webhooks',
];

describe('the pages of the office', { skip }, () => {
  let service: TestApp;
  let base = '';
  let receiver: Receiver;

  before(async () => {
    service = await startTestApp({ config: { webhookAllowLoopback: true } });
    receiver = await startReceiver();
    base = await listen(service);
  });

  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
    await receiver.close();
  });

  async function signedIn(email: string, device: BrowserContextOptions = {}): Promise<WatchedPage> {
    if (typeof browser === 'string') throw new Error(browser);
    return openConsole(await browser.newContext({ locale: 'en-GB', ...device }), base, email);
  }

  const open = (page: Page, name: string) => page.goto(`${base}/console/operators/1/${name}`);

  test('every page opens without complaint and fits a phone', async () => {
    const { page, complaints } = await signedIn(OWNER, PHONE);
    for (const name of PAGES) {
      await open(page, name);
      await page.locator('h1').waitFor();
      await page.locator('.placeholder').first().waitFor({ state: 'detached' });
      assert.equal(await page.locator('h1').count(), 1, name);
      const wide = await page.evaluate('document.scrollingElement.scrollWidth > innerWidth');
      assert.equal(wide, false, `${name} is wider than the screen`);
    }
    assert.deepEqual(complaints, []);
  });

  test('a rule is written, saved once its sentence was seen, switched off, moved, retired and brought back', async () => {
    const { page, complaints } = await signedIn(OWNER);
    await open(page, 'rules?rule=new');
    await page.getByLabel('Name').fill('Deposit for large parties');
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByText('the booking needs a deposit of at least £20 for each guest').waitFor();
    assert.equal(await save.isEnabled(), true);
    await page.getByLabel('Amount').fill('15');
    assert.equal(await save.isEnabled(), false, 'another draft has not been seen yet');
    await page.getByText('a deposit of at least £15').waitFor();
    await save.click();

    const rule = page.getByRole('listitem').filter({ hasText: 'Deposit for large parties' });
    await rule.getByText('a deposit of at least £15').waitFor();
    await rule.getByRole('switch').click();
    await rule.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await rule.getByText('On', { exact: true }).waitFor();

    const names = () => page.locator('.rule h2').allTextContents();
    const before = await names();
    const ordered = page.waitForResponse((answer) => answer.url().endsWith('/order'));
    await rule.getByRole('button', { name: /^Move/ }).press('ArrowUp');
    assert.equal((await ordered).status(), 200);
    assert.notDeepEqual(await names(), before);

    await rule.getByRole('button', { name: 'Retire Deposit for large parties' }).click();
    await page.getByText('Deposit for large parties is retired').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await rule.getByText('a deposit of at least £15').waitFor();
    assert.deepEqual(complaints, []);
  });

  test('staff read rules and change none', async () => {
    const { page } = await signedIn('staff@lamp.example');
    await open(page, 'rules');
    await page.locator('.rule').first().waitFor();
    assert.equal(await page.getByRole('switch').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'New rule' }).count(), 0);
  });

  test('a webhook is added, its secret shown once, tested, paused and ended', async () => {
    const { page, complaints } = await signedIn(OWNER);
    await open(page, 'webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('Address').fill(`${receiver.url}/hook`);
    await page.getByLabel('Label').fill('Kitchen');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a webhook' }).click();
    assert.match((await page.locator('.secret').textContent()) ?? '', /^whsec_/);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('heading', { name: 'Kitchen' }).waitFor();

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The receiver has taken it').waitFor();
    receiver.behave(answer(500), '/hook');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The receiver has not taken it').waitFor();
    assert.equal(receiver.received.length, 2);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('switch', { name: 'Deliver' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('No webhooks yet').waitFor();
    assert.deepEqual(complaints, []);
  });

  test('somebody is invited, the invitation withdrawn, and the audit log shows what was done', async () => {
    const { page, complaints } = await signedIn(OWNER);
    await open(page, 'people');
    await page.getByLabel('Email address').fill('new@lamp.example');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByRole('button', { name: 'Withdraw the invitation to new@lamp.example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The invitation to new@lamp.example is withdrawn').waitFor();

    await open(page, 'audit?kind=invite');
    const entry = page.getByRole('row').filter({ hasText: 'invite.remove' });
    await entry.getByRole('button').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('row').filter({ hasText: 'new@lamp.example' }).locator('del').waitFor();
    assert.match(page.url(), /entry=/);
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
  });

  test('money is added up, its file is offered, and owners say which account it goes to', async () => {
    const { id } = await bookBrunch(service, 4);
    await paid(service, id, { option: 'full' });
    const { page, complaints } = await signedIn(OWNER);
    await open(page, 'money');
    const totals = page.locator('.totals');
    await totals.getByText('£124.00').first().waitFor();
    assert.match((await totals.textContent()) ?? '', /Taken£124\.00Refunded£0\.00Net£124\.00/);
    await page.getByRole('button', { name: 'Venue', exact: true }).click();
    await page.getByRole('row', { name: /The Garden Room £124\.00/ }).waitFor();
    await page.getByText('The ledger and the books of the provider say the same.').waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    assert.match((await file).suggestedFilename(), /^money-.*\.csv$/);
    await page.getByLabel('Account at the payment provider').fill('acct_1PgSHuB7WZ01zgkW');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const { json } = await service.call('/manage/operators/1/payment-account', { as: 'demo-operator' });
    assert.equal(json.account, 'acct_1PgSHuB7WZ01zgkW');
    assert.deepEqual(complaints, []);
  });

  test('a report keeps its period and grouping in the address', async () => {
    const { page, complaints } = await signedIn(OWNER);
    await open(page, 'reports');
    await page.getByRole('button', { name: '90 days' }).click();
    await page.getByRole('button', { name: 'Partner', exact: true }).click();
    assert.match(page.url(), /period=90&by=partner/);
    const file = await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href');
    assert.match(file ?? '', /bookings\.csv\?from=.*&to=/);
    assert.deepEqual(complaints, []);
  });
});
