import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import {
  OPERATOR_PAGES,
  OWN_PAGES,
  PARTNER_PAGES,
  type PageEntry,
  PLATFORM_PAGES,
  VENUE_PAGES,
} from '../../src/console/browser/frame/pages.ts';
import { seedDemo } from '../../src/demo/seed.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { HOSTILE_LINK, HOSTILE_TEXT, injectedIn, isImageRefused, poison } from '../support/hostile-text.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { DEMO_PASSWORD, openConsole } from '../support/pages/console.ts';
import { openVisitor } from '../support/pages/console-visitor.ts';

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;

const SOHO = '1|house|soho-grill';
const TONIGHT = `/console/venues/${encodeURIComponent(SOHO)}/tonight`;
const OWNER = 'owner@lamp.example';
const ADMIN = 'admin@platform.example';

describe('the console against those who mean harm', { skip, concurrency: false }, () => {
  let service: TestApp;
  let origin = '';
  let elsewhere: Server;

  const originOf = (server: { address(): unknown }) =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  before(async () => {
    service = await startTestApp({ isEmpty: true });
    await seedDemo(service.sql, systemClock, {
      evening: { encryptionKeys: createKeyring([Buffer.alloc(32, 7)]) },
    });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    origin = originOf(service.app.server);
    elsewhere = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    elsewhere.close();
    await service.close();
  });

  const profile = (): Promise<BrowserContext> => {
    if (typeof browser === 'string') throw new Error(browser);
    return browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  };

  const addressOf = ({ path }: PageEntry) =>
    `/console${path
      .replace(':venueId', encodeURIComponent(SOHO))
      .replace(':operatorId', '1')
      .replace(':partnerId', '1')}`;

  test('whatever people have written is shown as text, on every page', async () => {
    const visitor = await openVisitor(await profile(), origin, ADMIN);
    const { page } = visitor;
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      return dialog.dismiss();
    });
    // In each answer everything that anybody can fill in is replaced, so nothing depends on what the demo happens to have.
    await page.route(`${origin}/manage/**`, async (route) => {
      if (route.request().resourceType() === 'eventsource') return route.continue();
      const answer = await route.fetch();
      if (!/json/.test(answer.headers()['content-type'] ?? '')) return route.fulfill({ response: answer });
      return route.fulfill({ response: answer, json: poison(await answer.json()) });
    });
    const faults: string[] = [];
    const shownOn: string[] = [];
    const look = async (name: string) => {
      const { injected, isShown } = await injectedIn(page);
      faults.push(...injected.map((one) => `${name}: ${one}`));
      if (isShown) shownOn.push(name);
    };
    for (const entry of [
      ...[...OWN_PAGES, ...VENUE_PAGES, ...OPERATOR_PAGES],
      ...[...PLATFORM_PAGES, ...PARTNER_PAGES],
    ]) {
      await visitor.go(addressOf(entry));
      await look(entry.path);
    }
    for (const view of ['floor', 'list', 'timeline']) {
      await visitor.go(`${TONIGHT}?view=${view}`);
      await look(view);
    }
    await page.locator('.tl-block').first().click();
    await visitor.go(new URL(page.url()).pathname + new URL(page.url()).search);
    await page.getByText('History', { exact: true }).first().click();
    await visitor.go(new URL(page.url()).pathname + new URL(page.url()).search);
    await look('drawer');
    const trouble = visitor.takeTrouble().filter((text) => !isImageRefused(text));
    assert.deepEqual([...faults, ...dialogs, ...trouble], []);
    for (const name of [
      'tonight',
      'layout',
      'products',
      'menus',
      'faqs',
      'bookings',
      'enquiries',
      'rules',
      'audit',
    ]) {
      assert.ok(
        shownOn.some((path) => path.endsWith(`/${name}`)),
        `${name} shows no text that was replaced: ${shownOn.join(' ')}`,
      );
    }
    for (const name of ['floor', 'list', 'timeline', 'drawer']) assert.ok(shownOn.includes(name), name);
    await page.context().close();
  });

  test('what a guest and a venue really sent goes the whole way as text', async () => {
    const at = `/manage/venues/${encodeURIComponent(SOHO)}`;
    const sent = (path: string, body: unknown, method: 'POST' | 'PUT' = 'POST') =>
      service.call(path, { method, as: 'demo-operator', body });
    const taken = await sent(`${at}/bookings`, {
      productKey: 'dinner',
      origin: 'phone',
      date: Temporal.Now.plainDateISO('Europe/London').add({ days: 1 }).toString(),
      time: '18:00',
      partySize: 2,
      overrides: ['notice', 'pacing', 'covers'],
      guest: { firstName: HOSTILE_TEXT, lastName: HOSTILE_TEXT },
      notes: HOSTILE_TEXT,
    });
    assert.equal(taken.status, 201, taken.text);
    // An address that browsers would run is refused where links are stored.
    const venue = (await service.call(`${at}`, { as: 'demo-operator' })).json;
    const { id: _id, operatorId: _, tms: _tms, resourceId: _resource, closedAt: _closed, ...fields } = venue;
    assert.equal((await sent(at, fields, 'PUT')).status, 200);
    const refused = await sent(at, { ...fields, website: HOSTILE_LINK }, 'PUT');
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(refused.json.errors), ['website']);

    const { page, complaints } = await openConsole(await profile(), origin, OWNER);
    page.on('dialog', (dialog) => {
      complaints.push(`dialog ${dialog.message()}`);
      return dialog.dismiss();
    });
    await page.goto(`${origin}/console/operators/1/bookings?booking=${taken.json.id}`);
    await page.getByRole('dialog').getByText(HOSTILE_TEXT).first().waitFor();
    assert.deepEqual((await injectedIn(page)).injected, []);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  test('no other page can frame the console, and its policy runs no inline script', async () => {
    const { headers } = await service.call('/console', { as: null });
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|http:/);
    assert.equal(headers['x-frame-options'], 'DENY');
    const page = await (await profile()).newPage();
    await page.goto(originOf(elsewhere));
    await page.evaluate(`{
      const frame = document.createElement('iframe');
      frame.src = ${JSON.stringify(`${origin}/console`)};
      document.body.append(frame);
    }`);
    await page.waitForFunction('frames.length === 1');
    await page.waitForTimeout(500);
    assert.notEqual(page.frames()[1]?.url(), `${origin}/console`);
    await page.goto(`${origin}/console`);
    await page.evaluate(`{
      const script = document.createElement('script');
      script.text = 'globalThis.added = true';
      document.head.append(script);
    }`);
    assert.equal(await page.evaluate('globalThis.added'), undefined);
    await page.context().close();
  });

  const cookiesOf = async (page: Page) =>
    (await page.context().cookies()).map(({ name, httpOnly, secure, sameSite, path }) => ({
      ...{ name, httpOnly, secure, sameSite, path },
    }));

  test('scripts cannot read the session, and signing out takes it away', async () => {
    const { page } = await openConsole(await profile(), origin, OWNER);
    await page.goto(`${origin}/console/account`);
    await page.locator('h1').waitFor();
    assert.equal(await page.evaluate('document.cookie'), '');
    const stored = String(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'));
    assert.doesNotMatch(stored, /mts_/);
    assert.deepEqual(await cookiesOf(page), [
      { name: '__Host-maitred', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' },
    ]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.deepEqual(await cookiesOf(page), []);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.context().close();
  });

  test('another page on this machine can change nothing with the session', async () => {
    const { page } = await openConsole(await profile(), origin, OWNER);
    // The same host on another port: browsers send the cookie along.
    await page.goto(originOf(elsewhere));
    const statuses: number[] = [];
    page.on('response', (response) => response.url().startsWith(origin) && statuses.push(response.status()));
    const url = JSON.stringify(`${origin}/manage/account`);
    for (const type of ['application/json', 'text/plain']) {
      for (const mode of ['cors', 'no-cors']) {
        await page.evaluate(`fetch(${url}, {
          method: '${mode === 'cors' ? 'PUT' : 'POST'}', mode: '${mode}', credentials: 'include',
          headers: { 'content-type': '${type}' }, body: JSON.stringify({ name: 'Mallory' }),
        }).then((answer) => answer.text()).catch(() => {})`);
      }
    }
    await page.evaluate(`fetch(${JSON.stringify(`${origin}/manage/sessions/current`)}, {
      method: 'DELETE', credentials: 'include',
    }).catch(() => {})`);
    const posted = page.waitForResponse((response) => response.url().endsWith('/messages'));
    await page.evaluate(`{
      const form = document.createElement('form');
      form.method = 'post';
      form.enctype = 'text/plain';
      form.action = ${JSON.stringify(`${origin}/manage/operators/1/bookings/x/messages`)};
      document.body.append(form);
      form.submit();
    }`);
    assert.equal((await posted).status(), 403);
    await page.waitForURL(/messages$/);
    assert.deepEqual(
      statuses.filter((status) => status < 400 && status !== 204),
      [],
    );
    await page.goto(`${origin}/console/account`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Olive Lamp');
    await page.context().close();
  });

  test('a new password ends the session on every device', async () => {
    const [here, there] = [
      (await openConsole(await profile(), origin, OWNER)).page,
      (await openConsole(await profile(), origin, OWNER)).page,
    ];
    await there.goto(`${origin}/console/operators/1/bookings`);
    await there.getByRole('heading', { level: 1 }).waitFor();
    await here.goto(`${origin}/console/account`);
    await here.getByLabel('Present password').fill(DEMO_PASSWORD);
    await here.getByLabel('New password').fill('lanterns over quiet water');
    await here.getByRole('button', { name: 'Change password' }).click();
    await here.getByRole('button', { name: 'Sign in' }).waitFor();
    await there.locator('nav a[href$="/enquiries"]').click();
    await there.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.equal(await there.locator('nav').count(), 0);
    for (const page of [here, there]) await page.context().close();
  });
});
