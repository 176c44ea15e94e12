import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readConfig } from '../../src/config.ts';
import { type Answer, startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { launchBrowser, openPage } from '../support/pages/browser.ts';
import { listen, saturdayClock } from '../support/pages/console.ts';

/** An operator that has nothing yet, until the first party of a partner has sat down: through the pages. */

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;
const clock = saturdayClock();
const date = clock().toZonedDateTimeISO('Europe/London').toPlainDate().toString();
const OWNER = 'nora.new@example.com';
const DEMO_PARTNER = 1;

describe('the first venue of an operator in a real browser', { skip }, () => {
  let service: TestApp;
  let origin = '';
  const dataDir = mkdtempSync(join(tmpdir(), 'maitred-first-venue-'));

  before(async () => {
    service = await startTestApp({
      config: readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: '0', DATA_DIR: dataDir }),
      deps: { clock },
    });
    origin = await listen(service);
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function platform(
    method: 'POST' | 'PUT' | 'GET',
    path: string,
    body?: unknown,
  ): Promise<Answer['json']> {
    const answer = await service.call(path, {
      method,
      as: 'demo-admin',
      ...(body !== undefined && { body }),
    });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  async function invitationOf(operatorId: number): Promise<string> {
    await platform('POST', `/manage/operators/${operatorId}/invites`, { email: OWNER, role: 'owner' });
    await service.services.mailing.sendDue();
    const folder = join(dataDir, 'mail');
    const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    const token = mails.flatMap((text) => /#token=([\w-]{43})/.exec(text)?.[1] ?? []).at(-1);
    return token ?? assert.fail('No invitation came.');
  }

  const nextStep = (page: Page) => page.getByRole('complementary', { name: 'First steps' });
  const toast = (page: Page, text: string | RegExp) => page.locator('.toast').getByText(text).waitFor();

  test('from an invitation to a party that has sat down', async () => {
    if (typeof browser === 'string') return;
    const { id: operatorId } = await platform('POST', '/manage/operators', { name: 'Copper Pot' });
    const profile = await browser.newContext({
      viewport: { width: 1400, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/London',
    });
    const { page, complaints } = await openPage(profile);
    await page.clock.install({ time: clock().epochMilliseconds });

    // The invitation makes the account and signs in.
    await page.goto(`${origin}/console/invite#token=${await invitationOf(operatorId)}`);
    await page.getByLabel('Your name').fill('Nora New');
    await page.getByLabel('Password').fill('lanterns over quiet water');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();

    // The venue.
    await page.getByRole('link', { name: 'Venues' }).click();
    await page.getByRole('button', { name: 'Add a venue' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('The Test Kitchen');
    await form.getByLabel('Part of town').fill('Soho');
    await form.getByLabel('Town', { exact: true }).fill('London');
    await form.getByLabel('Country').fill('GB');
    await form.getByLabel('Latitude').fill('51.513, -0.131');
    await form.getByRole('button', { name: 'Add, then draw its tables' }).click();
    const venueId = `${operatorId}|house|the-test-kitchen`;
    const venuePages = `/console/venues/${encodeURIComponent(venueId)}`;

    // Two areas; one table is round, two are joined.
    await nextStep(page).getByText('Draw the tables').waitFor();
    await page.getByRole('button', { name: 'Add the first table' }).click();
    await page.getByLabel('Name', { exact: true }).fill('M1');
    await page.getByRole('button', { name: 'Table', exact: true }).first().click();
    await page.getByRole('button', { name: /^Table M1,/ }).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('button', { name: 'Area', exact: true }).click();
    await page.getByLabel('Name of the area').last().fill('Terrace');
    await page.getByRole('button', { name: 'Table', exact: true }).last().click();
    await page.getByLabel('Name', { exact: true }).fill('T1');
    await page.getByLabel('Shape').selectOption({ label: 'Round' });
    assert.equal(await page.locator('.plan-join').count(), 1);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Saved');

    // Hours, where the next step leads.
    await nextStep(page).getByRole('link', { name: 'Hours' }).click();
    await page.getByRole('button', { name: 'Add hours' }).first().click();
    await page.getByRole('button', { name: 'Same every day' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Saved');

    // A product.
    await nextStep(page).getByRole('link', { name: 'Products' }).click();
    await page
      .getByRole('button', { name: 'Dinner' })
      .or(page.getByRole('link', { name: 'Dinner' }))
      .click();
    await page.getByRole('button', { name: 'Create product' }).click();
    await toast(page, /Dinner is created/);
    await nextStep(page).getByText('Find a partner').waitFor();

    // The platform connects the partner.
    await platform('PUT', `/manage/operators/${operatorId}/partners/${DEMO_PARTNER}`, {
      isSuspended: false,
      source: 'Demo Partner',
    });
    await platform('PUT', `/manage/partners/${DEMO_PARTNER}/mappings/${encodeURIComponent(venueId)}`, {
      company: { mode: 'none', names: [] },
      maxPartySize: null,
      isRequestOnly: false,
      productKeys: ['dinner'],
    });

    // Its booking arrives by itself.
    await page.goto(`${origin}${venuePages}/tonight`);
    await nextStep(page).getByText('Take the first booking').waitFor();
    await page.locator('.tl-name', { hasText: 'T1' }).waitFor();
    const made = await service.call(`/venues/${encodeURIComponent(`${venueId}|dinner`)}/booking`, {
      method: 'POST',
      body: { type: 'book', partySize: 2, date, time: '20:00', firstName: 'Ada', lastName: 'Lovelace' },
    });
    assert.equal(made.status, 201, made.text);
    const booking = page.locator('.tl-block', { hasText: 'Lovelace' });
    await booking.waitFor();

    // To the terrace, half an hour later.
    const read = async () =>
      (await platform('GET', `/manage/operators/${operatorId}/bookings/${made.json.id}`)) as {
        time: string;
        tmsTables: string[];
        visit: { state: string };
      };
    const from = await booking.boundingBox();
    const row = await page.locator('.tl-name.table', { hasText: 'T1' }).boundingBox();
    const hours = await Promise.all(
      ['20:00', '21:00'].map((time) => page.locator('.tl-head span', { hasText: time }).boundingBox()),
    );
    assert.ok(from && row && hours[0] && hours[1]);
    const halfHour = (hours[1].x - hours[0].x) / 2;
    await page.mouse.move(from.x + 8, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, row.y, { steps: 4 });
    await page.mouse.move(from.x + 8 + halfHour, row.y + row.height / 2, { steps: 4 });
    await page.locator('.tl-ghost.fine').waitFor();
    await page.mouse.up();
    await toast(page, 'Lovelace was moved to T1, 20:30');
    await eventually(async () => {
      const { time, tmsTables } = await read();
      return time === '20:30' && tmsTables.join() === 'T1';
    });

    // A click right after a drag is its end, not another click.
    await page.waitForTimeout(400);
    // They come early, sit and leave before their time: the row still shows them.
    for (const action of ['Arrived', 'Seat', 'Left']) {
      await booking.click();
      await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    }
    await eventually(async () => (await read()).visit.state === 'left');
    assert.equal(await page.locator('.tl-name.unseated').count(), 0);

    // And the reports have them.
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('row').filter({ hasText: '2' }).first().waitFor();
    assert.equal(await nextStep(page).count(), 0);
    assert.deepEqual(complaints, []);
  });
});
