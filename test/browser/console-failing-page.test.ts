/** Browsers that are set up oddly, and a page that throws: the rest of the console goes on. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { seedDemo } from '../../src/demo/seed.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { listen, openConsole } from '../support/pages/console.ts';

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;

const VENUE = `/console/venues/${encodeURIComponent('1|house|soho-grill')}`;
const OWNER = 'owner@lamp.example';
/** Every date on a page asks for one. */
const NO_DATES = "Intl.DateTimeFormat = function () { throw new RangeError('No dates today') };";
const WITHOUT_A_LANGUAGE =
  "Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'c'] });";

describe('a console that fails in part', { skip, concurrency: false }, () => {
  let service: TestApp;
  let origin = '';

  before(async () => {
    service = await startTestApp({ isEmpty: true });
    await seedDemo(service.sql, systemClock, {
      evening: { encryptionKeys: createKeyring([Buffer.alloc(32, 7)]) },
    });
    origin = await listen(service);
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
  });

  async function open(script: string, address: string) {
    if (typeof browser === 'string') throw new Error(browser);
    const profile: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await profile.addInitScript({ content: script });
    const opened = await openConsole(profile, origin, OWNER);
    await opened.page.goto(`${origin}${address}`);
    return opened;
  }

  test('a browser without a proper language gets the evening in English', async () => {
    const { page, complaints } = await open(WITHOUT_A_LANGUAGE, `${VENUE}/tonight`);
    await page.getByRole('button', { name: 'New booking' }).waitFor();
    await page.locator('.tonight-view').waitFor();
    assert.deepEqual(complaints, []);
  });

  test('a page that throws says so and calls nothing again; the others open', async () => {
    const { page, requests, complaints } = await open(NO_DATES, `${VENUE}/tonight`);
    await page.getByRole('heading', { name: 'This page could not be drawn' }).waitFor();
    await page.getByRole('button', { name: 'Load again' }).waitFor();
    assert.match(complaints.join(), /No dates today/);
    await page.waitForLoadState('networkidle');
    const holds = requests.filter((url) => url.includes('/holds?'));
    assert.ok(holds.length <= 2, `${holds.length} times`);
    await page.getByRole('link', { name: 'Menus' }).click();
    await page.getByRole('heading', { name: 'Menus', level: 1 }).waitFor();
    assert.equal(await page.getByText('This page could not be drawn').count(), 0);
  });
});
