/**
 * What people and programs read after the run, kept as files beside the others: the request log, reports, metrics, health,
 * the audit log, the health of systems. None of it may have a secret in it, or a guest.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer, tokenOf } from '../callers.ts';
import type { Send } from '../wire.ts';

const PERIOD = 'from=2026-11-01&to=2027-09-30';
const ADDRESSES: Record<string, string> = {
  'request-log.json': '/manage/partners/1/requests?limit=100',
  'own-request-log.json': '/manage/partners/2/requests?limit=100',
  'bookings.csv': `/manage/operators/1/reports/bookings.csv?${PERIOD}`,
  'money.csv': `/manage/operators/1/reports/money.csv?${PERIOD}`,
  'covers.json': `/manage/operators/1/reports/covers?${PERIOD}`,
  'audit.json': '/manage/operators/1/audit?pageSize=100',
  'platform-audit.json': '/manage/audit?pageSize=100',
  'system-health.json': '/manage/operators/1/systems/example/health',
  'health.json': '/manage/health',
  'deliveries.json': '/manage/operators/1/webhooks/deliveries?limit=100',
  'metrics.txt': '/metrics',
  'ready.json': '/health/ready',
};

export async function keepAnswers({
  send,
  folder,
  control,
}: {
  send: Send;
  folder: string;
  /** Asked for as a route, so that it would stand wherever addresses are written down. */
  control: string;
}): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const headers = bearer(await tokenOf(send, 'demo-admin'));
  for (const [name, path] of Object.entries(ADDRESSES)) {
    const { status, text } = await send({ method: 'GET', path, headers });
    assert.equal(status, 200, `${path}: ${text}`);
    writeFileSync(join(folder, name), `${text}\n${control}`);
  }
}
