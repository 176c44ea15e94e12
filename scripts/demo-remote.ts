/**
 * `npm run demo:remote [-- URL]`: a sandbox with a table system behind it, over the network. Starts the reference
 * server of `connect`, connects it with the sandbox at the address, or with one of its own if none is there, and
 * stays until Ctrl-C.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnectServer } from '../examples/connect-server/server.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { StartError } from '../src/kernel/problem.ts';
import { startNode } from '../src/node.ts';
import { connectSystem, DemoError, OPERATOR, SLUG } from './demo-remote/manage.ts';
import { callsToTry } from './demo-remote/try-it.ts';

const USAGE = 'npm run demo:remote, or npm run demo:remote -- http://127.0.0.1:3000 for a sandbox elsewhere';

const started = new AsyncDisposableStack();
let isStopping = false;

async function run(): Promise<void> {
  const node = addressGiven();
  if (await answers(node)) console.log(`The sandbox at ${node} answers.`);
  else await startOwn(node);

  const token = randomBytes(12).toString('base64url');
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const notify = { url: `${node}/connect/${OPERATOR}/${SLUG}/changes`, secret: webhookSecret };
  const server = createConnectServer({ token, notify });
  const system = await server.listen();
  started.defer(() => server.close());
  console.log(`A table system speaks connect on ${system} (examples/connect-server).`);
  await connectSystem({ node, system, token, webhookSecret, say: console.log });

  console.log(`\nTry it in another terminal:\n\n${callsToTry({ node, system, token })}\n`);
  console.log('Ctrl-C ends the system, and its bookings with it.');
}

function addressGiven(): string {
  const [given = 'http://127.0.0.1:3000', ...more] = process.argv.slice(2);
  const url = URL.parse(given);
  if (more.length > 0 || url?.protocol !== 'http:') throw new DemoError(USAGE);
  return url.origin;
}

const answers = (node: string) =>
  fetch(`${node}/health/live`).then(
    () => true,
    () => false,
  );

/** A sandbox in `DATA_DIR`, or in a folder that is gone afterwards. Never on a database that is named elsewhere. */
async function startOwn(node: string): Promise<void> {
  const { hostname, port } = new URL(node);
  const { DATABASE_URL: _database, REDIS_URL: _redis, PUBLIC_URL: _public, ...env } = process.env;
  const own = { HOST: hostname, PORT: port || '80', ROLE: 'all', LOG_LEVEL: 'warn' };
  const config = readConfig({ ...env, ...own, DATA_DIR: env.DATA_DIR || temporaryFolder() });
  if (config.environment !== 'sandbox') throw new DemoError('This is for ENVIRONMENT=sandbox alone.');
  console.log(`No sandbox answers at ${node}, so one is started in ${config.dataDir}.`);
  const print = (line: string) => line.endsWith('…') && console.log(line);
  const running = await startNode(config, { hasEvening: true, print });
  started.defer(() => running.stop());
  console.log(`The sandbox listens at ${node}; its console is at ${node}/console.`);
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'maitred-demo-'));
  // Run by root, PostgreSQL is another user, who has to get in.
  chmodSync(folder, 0o711);
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await started.disposeAsync();
  process.exit(code);
}

const running = run().catch(async (error: unknown) => {
  const isPlain = [DemoError, ConfigError, StartError].some((kind) => error instanceof kind);
  console.error(isPlain ? (error as Error).message : error);
  await stop(1);
});
// A start that is under way is finished first, so that all of it can be stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void running.then(() => stop(0)));
