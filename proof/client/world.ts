/** A real node with demo data, a proxy in front of it, and tokens that ended an hour ago. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Maitred, type MaitredOptions } from '@maitred/client';
import { systemClock } from '../../src/kernel/clock.ts';
import { startTestApp } from '../../test/support/app.ts';
import { type FaultyProxy, startFaultyProxy } from '../../test/support/databases/faulty-proxy.ts';
import { startNodeProcess } from '../../test/support/node-process.ts';

export const PRODUCT = '1|house|soho-grill|dinner';
const CLIENT = 'demo-partner';
/** Both applications have to call themselves the same, for tokens of one to be tokens of the other. */
const PUBLIC_URL = 'http://maitred.example';
const DAYS = 130;
const TIMES = ['18:00', '18:30', '19:00', '19:30', '20:00', '20:30', '21:00', '21:30'];

export interface World extends AsyncDisposable {
  proxy: FaultyProxy;
  /** A token of the service that has ended. */
  expiredToken: string;
  client(options?: Partial<MaitredOptions>): Maitred;
}

export async function startWorld(rateLimit: number): Promise<World> {
  const started = new AsyncDisposableStack();
  const clock = () => systemClock().subtract({ hours: 2 });
  const past = await startTestApp({ deps: { clock }, config: { publicUrl: PUBLIC_URL } });
  started.defer(() => past.close());
  const expiredToken = await past.token(CLIENT);
  const folder = mkdtempSync(join(tmpdir(), 'maitred-client-proof-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { encryptionKeys } = past.deps;
  const node = await startNodeProcess({
    env: {
      DATABASE_URL: past.url,
      DATA_DIR: folder,
      ROLE: 'api',
      PUBLIC_URL,
      RATE_LIMIT: String(rateLimit),
      ENCRYPTION_KEY: encryptionKeys.first.bytes.toString('base64'),
    },
  });
  started.defer(async () => {
    node.child.kill();
    await node.exit;
  });
  const proxy = await startFaultyProxy(node.address);
  started.defer(() => proxy.close());
  return {
    proxy,
    expiredToken,
    client: (options = {}) =>
      new Maitred({ baseUrl: proxy.url, clientId: CLIENT, clientSecret: `${CLIENT}-secret`, ...options }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Far enough apart that no round takes the place of another. */
export function slotOf(round: number) {
  const date = Temporal.Now.plainDateISO('Europe/London').add({ days: 20 + (round % DAYS) });
  const time = TIMES[Math.floor(round / DAYS) % TIMES.length] ?? '19:00';
  return { date: date.toString(), time, partySize: 2 };
}
