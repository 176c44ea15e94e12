/** A manager reads the catalogue of a system, sees what is different, and applies it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import {
  type CatalogueServer,
  catalogueConnector,
  SYSTEM,
  startCatalogue,
  venue,
} from '../features/system-catalogue/support.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { launchBrowser } from '../support/pages/browser.ts';
import { consolePages, listen } from '../support/pages/console.ts';

const browser = await launchBrowser();
const skip = typeof browser === 'string' ? browser : false;

describe('the catalogue of a system in a real browser', { skip }, () => {
  let service: TestApp;
  let system: CatalogueServer;
  let working: { stop(): Promise<void> };
  let origin = '';
  before(async () => {
    system = await startCatalogue();
    service = await startTestApp({ deps: { connectors: [catalogueConnector(system.url)] } });
    origin = await listen(service);
    working = service.services.systemCatalogue.start();
    const path = `/manage/operators/1/systems/${SYSTEM}`;
    const saved = await service.call(path, { method: 'PUT', as: 'demo-admin', body: {} });
    assert.equal(saved.status, 200, saved.text);
  });
  after(async () => {
    if (typeof browser !== 'string') await browser.close();
    await working.stop();
    await service.close();
    await system.close();
  });
  const open = consolePages(browser, { origin: () => origin, email: 'owner@lamp.example' });

  test('it is read, shown in words and applied', async () => {
    system.venues = [venue('bistro'), venue('bar'), venue('a|b')];
    const { page, complaints } = await open('/operators/1/systems');
    const catalogue = page.getByRole('region', { name: 'Catalogue' });
    await catalogue.getByRole('button', { name: 'Read catalogue' }).click();
    await catalogue.getByText('4 new').waitFor();
    await catalogue.getByText('resourceId must be letters').waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(
      violations.map(({ id }) => id),
      [],
    );
    await catalogue.getByRole('button', { name: 'Apply' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Venues and products added: 4').waitFor();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await catalogue.locator('.tag.good', { hasText: 'Applied' }).first().waitFor();
    const answer = await service.call(`/manage/venues/${encodeURIComponent(`1|${SYSTEM}|bar`)}`, {
      as: 'demo-admin',
    });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(complaints, []);
  });
});
