import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.ts';
import { launchBrowser, openPage, type WatchedPage } from '../support/pages/browser.ts';
import { listen } from '../support/pages/console.ts';

const DEVICES = {
  desk: { viewport: { width: 1400, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>;
type Device = keyof typeof DEVICES;

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;

describe('pages in a real browser', { skip }, () => {
  let service: TestApp;
  let origin = '';
  /** One profile per device: the program of the page is large, and a profile fetches it once. */
  const profiles = new Map<Device, BrowserContext>();

  before(async () => {
    service = await startTestApp();
    origin = await listen(service);
  });

  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
  });

  async function open(path: string, device: Device): Promise<WatchedPage> {
    if (typeof browser === 'string') throw new Error(browser);
    const profile = profiles.get(device) ?? (await browser.newContext(DEVICES[device]));
    profiles.set(device, profile);
    const watched = await openPage(profile);
    const answer = await watched.page.goto(`${origin}${path}`);
    assert.equal(answer?.status(), 200);
    return watched;
  }

  /** The page keeps to our own server and does nothing that its policy forbids. */
  function assertQuiet({ requests, complaints }: WatchedPage): void {
    assert.deepEqual(
      requests.filter((url) => new URL(url).origin !== origin && !/^(data|blob):/.test(url)),
      [],
    );
    assert.deepEqual(complaints, []);
  }

  const isWiderThanScreen = 'document.scrollingElement.scrollWidth > innerWidth';

  for (const device of ['desk', 'phone'] as const) {
    test(`the reference shows the operations, from this server alone, on a ${device}`, async () => {
      const watched = await open('/docs#tag/venues/GET/venues', device);
      const { page } = watched;
      await page.getByRole('heading', { name: 'List venues' }).waitFor();
      await page.getByText('Entries on a page').first().waitFor();
      assert.equal(await page.title(), 'Maitred reference');
      assert.equal(await page.evaluate(isWiderThanScreen), false);
      assertQuiet(watched);
    });
  }

  test('a call can be tried out on the page with the demo credentials', async () => {
    const watched = await open('/docs#tag/venues/GET/venues/category', 'desk');
    const { page } = watched;
    const operation = page.locator('section', {
      has: page.getByRole('heading', { name: 'List product categories' }),
    });
    await operation.last().getByRole('button', { name: 'Test Request' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Authorize' }).click();
    // Once there is a token, the form offers to take it away.
    await dialog.getByRole('button', { name: 'Clear', exact: true }).waitFor();
    const answered = page.waitForResponse(`${origin}/venues/category`);
    await dialog.getByRole('button', { name: 'Send' }).first().click();
    assert.equal((await answered).status(), 200);
    await dialog.getByText('200 OK').waitFor();
    assertQuiet(watched);
  });

  test('a problem is explained on a page of its own, on a phone too', async () => {
    const watched = await open('/problems/VALID-N-001', 'phone');
    const { page } = watched;
    await page.getByRole('heading', { name: 'Request not valid' }).waitFor();
    assert.equal(await page.evaluate(isWiderThanScreen), false);
    await page.getByRole('link', { name: 'Reference' }).click();
    await page.waitForURL(`${origin}/docs/`);
    assertQuiet(watched);
  });

  for (const [device, colorScheme] of [
    ['desk', 'light'],
    ['phone', 'dark'],
  ] as const)
    test(`the home page, the guides and their search can be read on a ${device}, and axe finds nothing`, async () => {
      for (const path of ['/', '/docs/guides', '/docs/tickets', '/docs/guides?q=cancel']) {
        const watched = await open(path, device);
        const { page } = watched;
        await page.emulateMedia({ colorScheme });
        assert.equal(await page.evaluate(isWiderThanScreen), false, path);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
        assert.deepEqual(found, [], path);
        assertQuiet(watched);
        await page.close();
      }
    });

  test('a reader goes from the home page to a guide, searches, and copies an example', async () => {
    const watched = await open('/', 'desk');
    const { page } = watched;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await page.getByRole('link', { name: 'Book your first table' }).click();
    await page.getByRole('heading', { level: 1, name: 'Book your first table' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search the guides' }).fill('token of an offer');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').getByRole('link', { name: 'The token' }).click();
    await page.waitForURL(`${origin}/docs/holds#the-token`);
    const example = page.locator('.example').first();
    await example.hover();
    await example.getByRole('button', { name: 'Copy' }).click();
    await example.getByRole('button', { name: 'Copied' }).waitFor();
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^HOLD=\$\(curl -sS/);
    assertQuiet(watched);
  });

  test('a guest on the waiting list takes the place on a phone, and axe finds nothing', async () => {
    const venue = encodeURIComponent('1|house|soho-grill');
    const date = Temporal.Now.plainDateISO('Europe/London').add({ days: 16 }).toString();
    const wanted = { productKey: 'dinner', date, from: '19:00', to: '20:00', partySize: 2 };
    const body = { ...wanted, lastName: 'Hopper', email: 'grace@example.com' };
    const list = `/manage/venues/${venue}/waitlist`;
    const { json } = await service.call(list, { method: 'POST', as: 'demo-operator', body });
    await service.services.waitlist.workDue();
    const secret = 'x'.repeat(43);
    await service.sql`
      update waitlist_entry set link_hash = sha256(convert_to(${secret}, 'UTF8')) where id = ${json.id}`;

    const watched = await open(`/waitlist/${secret}`, 'phone');
    const { page } = watched;
    assert.equal(await page.evaluate(isWiderThanScreen), false);
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(
      violations.map(({ id }) => id),
      [],
    );
    await page.getByRole('button', { name: 'Take it' }).click();
    await page.getByText('Your booking is confirmed').waitFor();
    assert.equal(new URL(page.url()).pathname, `/waitlist/${secret}`);
    assert.equal(await page.getByRole('button').count(), 0);
    assertQuiet(watched);
  });

  test('the policy of the reference lets in neither foreign scripts nor compiled ones', async () => {
    const { page } = await open('/docs', 'desk');
    // Later, because a browser lets its debugger compile what it likes.
    await page.evaluate(`setTimeout(() => {
      try { Function('globalThis.compiled = true')(); } catch { globalThis.compiled = false; }
    })`);
    await page.waitForFunction('globalThis.compiled !== undefined');
    assert.equal(await page.evaluate('globalThis.compiled'), false);
    await page.evaluate(`{
      const script = document.createElement('script');
      script.text = 'globalThis.added = true';
      document.head.append(script);
    }`);
    assert.equal(await page.evaluate('globalThis.added'), undefined);
  });
});
