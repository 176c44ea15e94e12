import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { jpeg, png } from '../features/media/pictures.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { consolePages, listen } from '../support/pages/console.ts';

/** Products, menus, photos, questions and mails, as people use them. */

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;
const OWNER = 'owner@lamp.example';
const STAFF = 'staff@lamp.example';
const PLATFORM = 'admin@platform.example';
const VENUE = '1|house|soho-grill';
const at = (part: string, venue = VENUE) => `/venues/${encodeURIComponent(venue)}/${part}`;
/** What a guest, partner or operator may write, to be shown as it is. */
const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

describe('what a venue offers, in a real browser', { skip }, () => {
  let service: TestApp;
  let origin = '';

  before(async () => {
    service = await startTestApp();
    // Those of the demo data are at addresses that are not there.
    await service.sql`delete from venue_photo where venue_id = ${VENUE}`;
    origin = await listen(service);
  });

  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
  });

  const open = consolePages(browser, { origin: () => origin, email: OWNER });

  const read = async (part: string, venue = VENUE) =>
    (await service.call(`/manage${at(part, venue)}`, { as: 'demo-admin' })).json;
  const write = (part: string, method: 'PUT' | 'POST', body: unknown) =>
    service.call(`/manage${at(part)}`, { as: 'demo-admin', method, body });
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

  test('a dinner product is made with three clicks, changed, and refused beside its field', async () => {
    const { page, complaints } = await open(at('products'));
    await page.getByRole('button', { name: 'Dinner' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Late dinner');
    await page.getByRole('complementary').getByRole('heading', { name: 'Late dinner' }).waitFor();
    await page.getByRole('button', { name: 'Create product' }).click();
    await page.getByRole('link', { name: /Late dinner/ }).click();
    assert.equal(new URL(page.url()).searchParams.get('product'), 'late-dinner');
    await page.getByRole('heading', { name: 'Guests and stay' }).click();
    await page.getByLabel('Smallest party').fill('6');
    await page.getByLabel('Largest party').fill('4');
    await save(page);
    await page.locator('.field.is-wrong', { hasText: 'Smallest party' }).waitFor();
    await page.getByLabel('Largest party').fill('8');
    await page.getByRole('complementary').getByText('6 to 8 guests').waitFor();
    await page.getByText('Data that partners get now').click();
    await page.getByText('"productName": "Late dinner"').waitFor();
    await save(page);
    await page.getByRole('heading', { name: 'Products' }).waitFor();
    const { house } = await read('products/late-dinner');
    assert.deepEqual([house.minGuests, house.maxGuests], [6, 8]);
    // The browser itself notes that the service has refused something.
    assert.equal(complaints.filter((text) => !/status of 400|status of 422/.test(text)).length, 0);
  });

  test('staff read products and cannot change them', async () => {
    const { page, complaints } = await open(at('products'), { email: STAFF });
    assert.equal(await page.getByText('Add a product').count(), 0);
    await page.getByRole('link', { name: /^Dinner/ }).click();
    await page.getByLabel('Name', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
    assert.deepEqual(complaints, []);
  });

  test('a time of an event is added, taken off sale, and brought back', async () => {
    const event = '2|tickets|jazz-night';
    const { page, complaints } = await open(at('products', event), { email: PLATFORM });
    await page.getByRole('button', { name: 'Add a time' }).click();
    await page.getByRole('dialog').getByLabel('Start').fill('15:15');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const entry = page.locator('.entry', { hasText: '15:15' });
    await entry.getByRole('button', { name: 'Take off sale' }).click();
    await entry.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await entry.getByText('On sale').waitFor();
    assert.deepEqual(complaints, []);
  });

  test('a menu gets a dish with a choice; its users are named before it is removed', async () => {
    const { page, complaints } = await open(at('menus'));
    await page.getByRole('link', { name: /Feasting menu/ }).click();
    await page.getByRole('button', { name: 'Add a dish' }).click();
    const dish = page.locator('.entry').last();
    await dish.getByLabel('Name', { exact: true }).fill('Cheese');
    await dish.getByLabel('Price').fill('9.50');
    await dish.getByRole('button', { name: 'milk' }).click();
    await dish.getByRole('button', { name: 'Add a choice for the guest' }).click();
    await dish.getByRole('textbox', { name: 'Choice' }).fill('With port');
    await dish.getByLabel('Answer').fill('Yes');
    await save(page);
    await page.getByRole('link', { name: /7 dishes/ }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog').getByText('Private dining').waitFor();
    await page.getByRole('button', { name: 'Go back' }).click();
    const [menu] = (await read('menus')).data;
    const added = menu.items.at(-1);
    assert.equal(added.pricePence, 950);
    assert.deepEqual([added.allergens, added.options[0].id], [['milk'], 'with-port']);
    assert.deepEqual(complaints, []);
  });

  test('photos are sent, put in order by key, and brought back with undo', async () => {
    const { page, complaints } = await open(at('photos'));
    await page.setInputFiles('input[type=file]', [
      { name: 'room.jpg', mimeType: 'image/jpeg', buffer: jpeg(40, 30) },
      { name: 'bar.png', mimeType: 'image/png', buffer: png(30, 20) },
    ]);
    await page.locator('.photo').nth(1).waitFor();
    await page.getByLabel('Caption').nth(1).fill(SCRIPT);
    await page.getByLabel('Caption').nth(1).press('Tab');
    const handle = page.getByRole('button', { name: /place 2 of 2/ });
    await handle.focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('Shown first').waitFor();
    await page.locator('.photo:first-child img[alt^="<img"]').waitFor();
    await page.getByRole('button', { name: /^Remove </ }).click();
    await page.locator('.photo').nth(1).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.photo').nth(1).waitFor();
    await eventually(async () => {
      const { data } = await read('photos');
      const shown = data.map(({ caption, width }: { caption: string; width: number }) => [caption, width]);
      return isDeepStrictEqual(shown, [
        [SCRIPT, 30],
        [null, 40],
      ]);
    });
    assert.equal(await page.title(), 'Photos · Soho Grill · Maitred');
    assert.deepEqual(complaints, []);
  });

  test('an upload goes on by itself when the connection is back', async () => {
    await service.sql`delete from venue_photo where venue_id = ${VENUE}`;
    const { page } = await open(at('photos'));
    await page.getByText('No photos yet').waitFor();
    let isCut = true;
    await page.route('**/parts/*', (route) => (isCut ? route.abort() : route.continue()));
    await page.route('**/health/live', (route) => (isCut ? route.abort() : route.continue()));
    await page.setInputFiles('input[type=file]', [
      { name: 'room.jpg', mimeType: 'image/jpeg', buffer: jpeg(40, 30) },
    ]);
    await page.getByText('waits for the connection').waitFor();
    isCut = false;
    await page.locator('.photo').waitFor();
    assert.equal((await read('photos')).data.length, 1);
    assert.deepEqual((await read('uploads')).data, []);
  });

  test('questions are written, moved, removed and brought back, and show script as text', async () => {
    await write('site-faqs', 'PUT', [
      { question: 'Parking?', answer: 'No.' },
      { question: SCRIPT, answer: SCRIPT },
    ]);
    const { page, complaints } = await open(at('faqs'));
    await page.getByRole('heading', { name: SCRIPT }).waitFor();
    await page.getByRole('button', { name: 'Add a question' }).click();
    // Where the form opens, people type at once, but not before they see it.
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('Dogs?');
    await page.getByLabel('Answer').fill('In the garden.');
    await save(page);
    const first = page.getByRole('button', { name: /^Move Dogs/ });
    await first.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.getByRole('button', { name: 'Move Dogs?: place 1 of 3' }).waitFor();
    await page.getByRole('button', { name: 'Remove: Parking?' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Parking?' }).waitFor();
    await eventually(async () => {
      const questions = (await read('site-faqs')).map(({ question }: { question: string }) => question);
      return isDeepStrictEqual(questions, ['Dogs?', 'Parking?', SCRIPT]);
    });
    assert.deepEqual(complaints, []);
  });

  test('a change by another person is not overwritten', async () => {
    const { page } = await open(at('faqs'));
    await page.getByRole('button', { name: 'Remove: Dogs?' }).waitFor();
    await write('site-faqs', 'PUT', [
      { question: 'Dogs?', answer: 'Not any more.' },
      { question: 'New?', answer: 'Yes.' },
    ]);
    await page.getByRole('button', { name: 'Remove: Dogs?' }).click();
    await page.getByText('Someone else has changed this').waitFor();
    await page.getByRole('heading', { name: 'New?' }).waitFor();
    assert.equal((await read('site-faqs')).length, 2);
  });

  test('what another person has changed is shown when the author gives up the own change', async () => {
    const { page } = await open(at('menus?package=103'));
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Price').fill('60');
    const { id: _, ...stored } = await read('packages/103');
    await write('packages/103', 'PUT', { ...stored, name: 'Birthday cake' });
    await save(page);
    await drawer.getByText('HTTP-N-412').waitFor();
    assert.equal(await drawer.getByLabel('Price').inputValue(), '60');
    await drawer.getByRole('button', { name: 'Discard mine' }).click();
    const name = drawer.getByLabel('Name', { exact: true });
    await eventually(async () => (await name.inputValue()) === 'Birthday cake');
    assert.equal((await read('packages/103')).pricePence, 5500);
  });

  test('the sentence of the venue stands in the preview of its mails, as text', async () => {
    const { page, complaints } = await open(at('mails'));
    await page.getByLabel('A sentence of your own').fill(SCRIPT);
    await save(page);
    const mail = page.locator('.mail');
    await mail.getByText(SCRIPT).waitFor();
    await page.getByLabel('Mail', { exact: true }).selectOption('cancellation');
    await mail.getByText('Your booking is cancelled.').waitFor();
    await page.getByRole('region', { name: 'Preview' }).getByLabel('Language').selectOption('de');
    await mail.getByText('Guten Tag').or(mail.getByText('storniert')).first().waitFor();
    assert.deepEqual(complaints, []);
  });

  for (const part of [
    'products',
    'products?product=dinner',
    'products?new=dinner',
    'menus?menu=101',
    'menus?package=101',
    'photos',
    'faqs?edit=new',
    'mails',
  ]) {
    test(`nothing on ${part} hinders people, and it fits a phone`, async () => {
      const { page, complaints } = await open(at(part), { width: 390 });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      assert.equal(await page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), false);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      );
      assert.deepEqual(complaints, []);
    });
  }
});
