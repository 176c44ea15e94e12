import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright-core';
import {
  OPERATOR_PAGES,
  OWN_PAGES,
  PARTNER_PAGES,
  type PageEntry,
  PLATFORM_PAGES,
  PUBLIC_PAGES,
  VENUE_PAGES,
} from '../../src/console/browser/frame/pages.ts';
import { seedDemo } from '../../src/demo/seed.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { openVisitor, type Visitor } from '../support/pages/console-visitor.ts';

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;

const SOHO = '1|house|soho-grill';
const ADMIN = 'admin@platform.example';
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true };
const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };

const atLeast =
  (...roles: PageEntry['least'][]) =>
  ({ least }: PageEntry) =>
    roles.includes(least);
const none = () => false;
const all = () => true;

/** What each may see: of the operator and its venues, of the platform, of the partner. */
const PEOPLE = [
  { email: 'staff@lamp.example', ofOperator: atLeast('staff'), ofPlatform: none, ofPartner: none },
  {
    email: 'max.manager@example.com',
    ofOperator: atLeast('staff', 'manager'),
    ofPlatform: none,
    ofPartner: none,
  },
  { email: 'owner@lamp.example', ofOperator: all, ofPlatform: none, ofPartner: none },
  { email: ADMIN, ofOperator: all, ofPlatform: all, ofPartner: all },
  { email: 'developer@partner.example', ofOperator: none, ofPlatform: none, ofPartner: all },
];

const SIGNED_IN = [
  ...[...OWN_PAGES, ...VENUE_PAGES, ...OPERATOR_PAGES],
  ...[...PLATFORM_PAGES, ...PARTNER_PAGES],
];
/** Where most colours are. */
const IN_DARK = ['calendar', 'layout', 'rules', 'reports', 'health', 'start'];

const addressOf = ({ path }: PageEntry) =>
  `/console${path
    .replace(':venueId', encodeURIComponent(SOHO))
    .replace(':operatorId', '1')
    .replace(':partnerId', '1')}`;

/** Of one fault there are often as many as a page has rows. */
const EXAMPLES = 2;

/** What keeps people out who do not see, or do not use a mouse. */
async function barriersOf(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().disableRules('label-content-name-mismatch');
  const { violations } = await axe.analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = serious.flatMap(({ id, nodes }) =>
    nodes.slice(0, EXAMPLES).map((node) => `${id}: ${node.html} ${node.any[0]?.message ?? ''}`),
  );
  const unnamed: string[] = await page.evaluate(UNNAMED_WORDS);
  return [...told, ...unnamed.slice(0, EXAMPLES)];
}

/**
 * People who speak to their computer say what they read: each word that is shown has to be in the name. The rule of axe
 * also asks for their order, which a sentence about the numbers of a day, or about a table of a plan, cannot keep.
 */
const UNNAMED_WORDS = `(() => {
  const wordsOf = (text) => text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? [];
  const shownWords = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return wordsOf(node.data);
    return node.matches?.('title, .visually-hidden') ? [] : [...node.childNodes].flatMap(shownWords);
  };
  return [...document.querySelectorAll('button[aria-label], a[aria-label], [role=button][aria-label]')]
    .map((element) => {
      const name = wordsOf(element.getAttribute('aria-label'));
      const missing = shownWords(element).filter((word) => !name.includes(word));
      return missing.length > 0 ? 'not in the name: ' + missing.join(' ') + ' ' + element.outerHTML.slice(0, 200) : '';
    })
    .filter((text) => text !== '');
})()`;

describe('every page of the console in a real browser', { skip, concurrency: false }, () => {
  let service: TestApp;
  let origin = '';

  before(async () => {
    service = await startTestApp({ isEmpty: true });
    await seedDemo(service.sql, systemClock, {
      evening: { encryptionKeys: createKeyring([Buffer.alloc(32, 7)]) },
    });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
  });

  async function visit(email: string | null, device: BrowserContextOptions): Promise<Visitor> {
    if (typeof browser === 'string') throw new Error(browser);
    const profile = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London', ...device });
    return openVisitor(profile, origin, email);
  }

  /** What is wrong with the page that is shown. */
  async function faultsOf({ page, takeTrouble }: Visitor): Promise<string[]> {
    const headings = await page.locator('h1').count();
    const width = Number(await page.evaluate('document.scrollingElement.scrollWidth - innerWidth'));
    return [
      ...takeTrouble(),
      ...(headings === 1 ? [] : [`${headings} headings of the first order`]),
      ...(width > 0 ? [`${width} px wider than the screen`] : []),
    ];
  }

  const linksOf = (page: Page): Promise<string[]> =>
    page.evaluate("[...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href')).sort()");

  for (const { email, ofOperator, ofPlatform, ofPartner } of PEOPLE) {
    test(`${email} sees what is for them, on a phone, and nothing else`, async () => {
      const visitor = await visit(email, PHONE);
      const ofPlace = [...VENUE_PAGES, ...OPERATOR_PAGES].filter(ofOperator);
      const seen = new Set([
        ...[...OWN_PAGES, ...ofPlace],
        ...[...PLATFORM_PAGES.filter(ofPlatform), ...PARTNER_PAGES.filter(ofPartner)],
      ]);
      const faults: string[] = [];
      for (const entry of SIGNED_IN) {
        const address = addressOf(entry);
        await visitor.go(address);
        const isRefused = (await visitor.page.getByText('This page is not for your role').count()) > 0;
        if (isRefused === seen.has(entry)) faults.push(`${address} is ${isRefused ? 'not ' : ''}shown`);
        const links = await linksOf(visitor.page);
        if (!isRefused && entry.icon && !links.includes(address)) faults.push(`${address} has no link`);
        const isTooMuch = (other: PageEntry) => !seen.has(other) && links.includes(addressOf(other));
        const tooMany = SIGNED_IN.filter(isTooMuch);
        faults.push(...tooMany.map((other) => `${address} leads to ${addressOf(other)}`));
        faults.push(...(await faultsOf(visitor)).map((fault) => `${address}: ${fault}`));
      }
      assert.deepEqual(faults, []);
      await visitor.page.context().close();
    });
  }

  test('pages that mails lead to open without a session', async () => {
    const visitor = await visit(null, PHONE);
    const faults: string[] = [];
    for (const entry of [{ path: '/' }, ...PUBLIC_PAGES]) {
      await visitor.go(`/console${entry.path}`);
      faults.push(...(await faultsOf(visitor)).map((fault) => `${entry.path}: ${fault}`));
      faults.push(...(await barriersOf(visitor.page)).map((fault) => `${entry.path}: ${fault}`));
    }
    assert.deepEqual(faults, []);
    await visitor.page.context().close();
  });

  test('axe finds nothing serious on any page, in light and in dark', async () => {
    const visitor = await visit(ADMIN, DESK);
    const { page } = visitor;
    const faults: string[] = [];
    const look = async (name: string) =>
      faults.push(...(await barriersOf(page)).map((fault) => `${name}: ${fault}`));

    for (const entry of SIGNED_IN) {
      await visitor.go(addressOf(entry));
      await look(entry.path);
    }
    const tonight = `/console/venues/${encodeURIComponent(SOHO)}/tonight`;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const view of ['timeline', 'floor', 'list']) {
        await visitor.go(`${tonight}?view=${view}`);
        await look(`${view}, ${colorScheme}`);
      }
      await visitor.go(`${tonight}?view=timeline`);
      await page.locator('.tl-block').first().click();
      await page.getByRole('dialog').first().waitFor();
      await visitor.go(new URL(page.url()).pathname + new URL(page.url()).search);
      await look(`a booking, ${colorScheme}`);
      await visitor.go(`${tonight}?view=timeline`);
      await page.locator('.tonight-actions .primary').click();
      await page.getByRole('dialog').first().waitFor();
      await look(`a new booking, ${colorScheme}`);
      await page.keyboard.press('Escape');
    }
    for (const entry of SIGNED_IN.filter(({ title }) => IN_DARK.includes(title))) {
      await visitor.go(addressOf(entry));
      await look(`${entry.path}, dark`);
    }
    assert.deepEqual([...faults, ...visitor.takeTrouble()], []);
    await page.context().close();
  });
});
