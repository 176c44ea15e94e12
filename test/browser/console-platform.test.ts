import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { startTestApp, type TestApp } from '../support/app.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { consolePages, listen } from '../support/pages/console.ts';
import { startRemoteBistro } from '../support/remote-tms/harness.ts';
import { PROTOCOL_PATH, RIGHT_KEY } from '../support/remote-tms/protocol.ts';

/** What the platform and a partner's developers do with the console. */

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;
const PLATFORM = 'admin@platform.example';
const DEVELOPER = 'developer@partner.example';
const VENUE = '1|house|soho-grill';

describe('the platform and partners, in a real browser', { skip }, () => {
  let service: TestApp;
  let origin = '';

  before(async () => {
    service = await startTestApp({ config: { connectors: [PROTOCOL_PATH] } });
    origin = await listen(service);
  });

  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await service.close();
  });

  const open = consolePages(browser, { origin: () => origin, email: PLATFORM });

  const read = async (path: string) => (await service.call(path, { as: 'demo-admin' })).json;

  test('an operator is added, given a partner, and its first venue is mapped', async () => {
    const { page, complaints } = await open('/platform/operators');
    await page.getByRole('button', { name: 'Add an operator' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Copper Pot');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Copper Pot', level: 1 }).waitFor();
    const operatorId = new URL(page.url()).searchParams.get('operator');

    await page.goto(`${origin}/console/platform/mappings?operator=${operatorId}`);
    await page.getByRole('button', { name: 'Add a partner' }).first().click();
    await page
      .getByRole('dialog')
      .getByLabel('Partner', { exact: true })
      .selectOption({ label: 'Demo Partner' });
    await page.getByLabel('Name in the operator’s systems').fill('DEMO');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const [association] = (await read(`/manage/operators/${operatorId}/partners`)).data;
    assert.deepEqual(association.source, 'DEMO');

    const made = await service.call(`/manage/operators/${operatorId}/venues`, {
      as: 'demo-admin',
      method: 'POST',
      body: {
        tms: 'house',
        resourceId: 'pot',
        name: 'The Pot',
        timeZone: 'Europe/London',
        types: ['restaurant'],
        content: { summary: 'Stews.' },
        location: { lat: 51.5, lng: -0.1, area: 'Bankside', city: 'London', countryCode: 'GB' },
      },
    });
    assert.equal(made.status, 201);
    await page.reload();
    await page.getByRole('button', { name: 'The Pot at Demo Partner: Map' }).click();
    await page.getByLabel('Largest party').fill('6');
    await page.getByRole('dialog').getByRole('button', { name: 'Map', exact: true }).click();
    await page.getByRole('button', { name: 'The Pot at Demo Partner: 0 products' }).click();
    const venueId = encodeURIComponent(made.json.id);
    assert.equal((await read(`/manage/partners/1/mappings/${venueId}`)).maxPartySize, 6);

    // Taken away and put back as it was.
    await page.getByRole('button', { name: 'Take the venue from the partner' }).click();
    await page.getByRole('button', { name: 'The Pot at Demo Partner: Map' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'The Pot at Demo Partner: 0 products' }).waitFor();
    assert.equal((await read(`/manage/partners/1/mappings/${venueId}`)).maxPartySize, 6);
    assert.deepEqual(complaints, []);
  });

  test('a system is added, an operator gets an account at it, and its owner looks after it', async (t) => {
    const system = await startRemoteBistro();
    t.after(() => system.close());
    const { page, complaints } = await open('/platform/systems');
    await page.getByRole('button', { name: 'Add a system' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Bookwell');
    await dialog.getByLabel('Short name').fill('bookwell');
    await dialog.getByLabel('Protocol').selectOption('bistro');
    await dialog.getByLabel('baseUrl').fill(system.url);
    await dialog.getByLabel('zone').fill('Europe/Paris');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Bookwell' }).waitFor();
    assert.deepEqual((await new AxeBuilder({ page }).analyze()).violations, []);

    await page.goto(`${origin}/console/operators/1/systems`);
    await page.getByLabel('System', { exact: true }).selectOption('bookwell');
    await page.getByLabel('group').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Set credentials Bookwell' }).click();
    await dialog.getByLabel('key').fill(RIGHT_KEY);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Connected, with credentials').waitFor();
    assert.deepEqual((await read('/manage/operators/1/systems/bookwell')).settings, { group: 7 });
    assert.deepEqual(complaints, []);

    const owner = await open('/operators/1/systems', { email: 'owner@lamp.example' });
    await owner.page.getByRole('button', { name: 'Test' }).click();
    await owner.page.getByText(/Works; answered in \d+ ms/).waitFor();
    const asked = owner.page.getByRole('dialog');
    await owner.page.getByRole('button', { name: 'Change settings Bookwell' }).click();
    await asked.getByLabel('group').fill('8');
    await asked.getByRole('button', { name: 'Save' }).click();
    await asked.waitFor({ state: 'detached' });
    await owner.page.getByRole('button', { name: 'Set credentials Bookwell' }).click();
    await asked.getByLabel('key').fill(RIGHT_KEY);
    await asked.getByRole('button', { name: 'Save' }).click();
    await asked.waitFor({ state: 'detached' });
    assert.deepEqual((await read('/manage/operators/1/systems/bookwell')).settings, { group: 8 });
    assert.equal((await read('/manage/operators/1/systems/bookwell/credentials')).version, 2);
    assert.equal(await owner.page.getByRole('button', { name: 'Remove' }).count(), 0);
    assert.equal(await owner.page.getByLabel('System', { exact: true }).count(), 0);
    assert.deepEqual((await new AxeBuilder({ page: owner.page }).analyze()).violations, []);
    assert.deepEqual(owner.complaints, []);
  });

  test('a mandate is given, read and taken away', async () => {
    const { page, complaints } = await open('/platform/clients?client=other-partner');
    const drawer = page.getByRole('dialog').first();
    await drawer.getByText('No mandate: nothing is limited.').waitFor();
    await drawer.getByRole('button', { name: 'Give a mandate' }).click();
    await page.getByLabel('Guests of one booking').fill('6');
    await page.getByLabel('Deposit of one booking').fill('40');
    await page.getByLabel('Only in these cities').fill('London\nParis');
    await page.getByLabel('Parties larger than').fill('4');
    await page.getByRole('dialog').last().getByRole('button', { name: 'Save' }).click();
    await page.getByText('At most 6 guests in a booking').waitFor();
    assert.deepEqual(await read('/manage/clients/other-partner/mandate'), {
      ...{ maxPartySize: 6, maxDepositPence: 4000, cities: ['London', 'Paris'] },
      confirmAbove: { partySize: 4 },
    });
    await page.getByRole('button', { name: 'Take away' }).click();
    await page.locator('dialog:not(.drawer)').getByRole('button', { name: 'Take away' }).click();
    await page.getByText('No mandate: nothing is limited.').waitFor();
    assert.equal((await read('/manage/clients/other-partner')).hasMandate, false);
    assert.deepEqual(complaints, []);
  });

  test('a client is made, its secret works, and is rotated without a gap', async () => {
    const { page } = await open('/platform/clients');
    await page.getByRole('button', { name: 'Add a client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Partner', { exact: true }).selectOption({ label: 'Other Partner' });
    await dialog.getByLabel('Client id').fill('other-app');
    await dialog.getByRole('button', { name: 'Add a client' }).click();
    const shown = page.getByRole('dialog').locator('pre.secret');
    const first = (await shown.textContent()) ?? '';
    const tokenWith = (secret: string) =>
      page.request.post(`${origin}/oauth/token`, {
        form: {
          grant_type: 'client_credentials',
          client_id: 'other-app',
          client_secret: secret,
          audience: 'maitred',
        },
      });
    assert.equal((await tokenWith(first)).status(), 200);
    await page.getByRole('button', { name: 'I have kept it' }).click();

    await page.getByRole('button', { name: 'other-app' }).click();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const second = (await shown.textContent()) ?? '';
    await page.getByRole('button', { name: 'I have kept it' }).click();
    assert.deepEqual([(await tokenWith(first)).status(), (await tokenWith(second)).status()], [200, 200]);
    await page.getByText('Old and new secrets work side by side').waitFor();
    await page
      .getByRole('button', { name: /^Delete the secret made/ })
      .last()
      .click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The secret is deleted').first().waitFor();
    assert.deepEqual([(await tokenWith(first)).status(), (await tokenWith(second)).status()], [401, 200]);
  });

  test('a developer tries a call and finds it in the log by its correlation id', async () => {
    const { page, complaints } = await open('/partners/1/try?operation=getVenue', { email: DEVELOPER });
    await page.getByLabel('venueId (required)').fill(VENUE);
    await page.getByText('Headers (').click();
    await page.getByLabel('X-Correlation-ID').fill('midnight-1');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('200 OK').waitFor();
    await page.getByText('"name": "Soho Grill"').waitFor();
    // Neither the secret nor the token is kept anywhere.
    const kept = await page.evaluate(
      'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])',
    );
    assert.doesNotMatch(String(kept), /demo-partner-secret|eyJ/);

    await page.goto(`${origin}/console/partners/1/requests?follow=yes&correlationId=midnight-1`);
    await page.getByRole('cell', { name: 'GET /venues/{venueId}' }).waitFor();
    assert.equal(await page.getByRole('row').count(), 2);
    assert.deepEqual(complaints, []);
  });

  test('a developer looks for calls by several fields at once', async () => {
    const { page } = await open('/partners/1/requests', { email: DEVELOPER });
    await page.getByRole('row').nth(1).waitFor();
    await page.getByLabel('Problem code').fill('pmap-n-001');
    await page.keyboard.press('Tab');
    await page.keyboard.type('/venues/{venueId}');
    await page.keyboard.press('Enter');
    await page.waitForURL(/code=PMAP-N-001&route=%2Fvenues%2F%7BvenueId%7D/);
    await page.getByText('No calls').waitFor();
    assert.equal(await page.evaluate('document.activeElement.labels[0].textContent'), 'Route');
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByRole('row').nth(1).waitFor();
    assert.equal(await page.getByLabel('Problem code').inputValue(), '');
  });

  test('the first calls of the start page work in a terminal as they are', async () => {
    const { page } = await open('/partners/1/start', { email: DEVELOPER });
    await page.locator('.code-block pre').first().waitFor();
    const calls = await page.locator('.code-block pre').allTextContents();
    const { stdout } = await promisify(execFile)('sh', ['-c', calls.join('\n')]);
    assert.equal(JSON.parse(stdout).data.length, 3);
  });

  test('a refusal stands where it was caused, in the words of the service', async () => {
    const { page } = await open('/platform/partners');
    await page.getByRole('button', { name: 'Add a partner' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Demo Partners');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'PMAP-N-014' }).waitFor();
    await page.getByLabel('It really is another partner').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Reference demo-partners').waitFor();
  });

  /** Those with something open; the plain ones are opened with all others. */
  const PAGES: [email: string, paths: string[]][] = [
    [
      PLATFORM,
      [
        '/platform/operators?operator=1',
        `/platform/mappings?operator=1&partner=1&venue=${encodeURIComponent(VENUE)}`,
        '/platform/clients?client=demo-agent',
      ],
    ],
    [DEVELOPER, ['/partners/1/requests?follow=yes', '/partners/1/try?operation=createBooking']],
  ];
  for (const [email, paths] of PAGES) {
    test(`the pages of ${email} fit a phone, break no policy and can be read by everyone`, async () => {
      for (const path of paths) {
        const { page, complaints } = await open(path, { email, width: 390 });
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        const found = (await new AxeBuilder({ page }).analyze()).violations;
        const grave = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        assert.deepEqual(
          grave.map(({ id, nodes }) => `${path} ${id} ${nodes[0]?.html}`),
          [],
        );
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, path);
        assert.deepEqual(complaints, [], path);
        await page.close();
      }
    });
  }
});
