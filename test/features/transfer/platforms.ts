/** Platforms that operators are moved between: one with the demo data, and one that has partners and no operators. */
import assert from 'node:assert/strict';
import { inTransaction } from '../../../src/db/database.ts';
import { clients, demoMappings, partners } from '../../../src/demo/access.ts';
import { categories, venueTypes } from '../../../src/demo/seed.ts';
import { addSecret, createClient, createPartner } from '../../../src/features/identity/service.ts';
import { mapVenue, saveVocabulary } from '../../../src/features/venues/service.ts';
import type { OperatorDocument } from '../../../src/features/venues/transfer/document.ts';
import { type Answer, startTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';

export async function startBarePlatform(options: TestAppOptions = {}): Promise<TestApp> {
  const platform = await startTestApp({ ...options, isEmpty: true });
  await inTransaction(platform.sql, async (tx) => {
    await saveVocabulary(tx, { categories, venueTypes });
    for (const partner of partners) await createPartner(tx, partner);
    for (const { client, secret } of clients.filter(({ client }) => client.kind !== 'operator')) {
      await createClient(tx, client);
      await addSecret(tx, client.id, { secret });
    }
  });
  return platform;
}

/** What the partners of the demo may distribute of these operators. */
export async function mapAsDemo(platform: TestApp, operators: OperatorDocument[]): Promise<void> {
  await inTransaction(platform.sql, async (tx) => {
    for (const mapping of demoMappings(operators)) await mapVenue(tx, mapping);
  });
}

export async function exportFrom(platform: TestApp, operatorId: number): Promise<OperatorDocument> {
  const answer = await platform.call(`/manage/operators/${operatorId}/export`, { as: 'demo-admin' });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

export function importInto(platform: TestApp, document: unknown, query = ''): Promise<Answer> {
  return platform.call(`/manage/imports${query}`, { method: 'POST', as: 'demo-admin', body: document });
}
