import { buildApp } from './app.ts';
import { type Config, localUrl, onPort } from './config.ts';
import { connectDatabase } from './db/connect.ts';
import { NODE_POOL, openPool, type Sql } from './db/database.ts';
import { openDatabaseClock } from './db/database-clock.ts';
import { watchLiveness } from './db/liveness.ts';
import { migrate } from './db/migrate.ts';
import { openNotifications } from './db/notifications.ts';
import { openReplicas, type Replicas } from './db/reads.ts';
import { DEMO_PASSWORD, people } from './demo/access.ts';
import { findPeople, type SeedOptions, seedDemo } from './demo/seed.ts';
import { loadEncryptionKeys } from './encryption-keys.ts';
import { registerKeys } from './features/encryption/service.ts';
import type { App } from './http/route.ts';
import { startJobs } from './jobs/jobs.ts';
import type { Clock } from './kernel/clock.ts';
import type { Keyring } from './kernel/crypto.ts';
import { DEADLINES } from './kernel/deadlines.ts';
import { tryPort } from './kernel/network.ts';
import { codeOf, reasonOf, StartError } from './kernel/problem.ts';
import { tracedServices } from './kernel/tracing.ts';
import { type AppDeps, createServices, jobsOf } from './services.ts';

export interface RunningNode {
  address: string;
  /** Finishes what is in flight, then stops everything that this node started. */
  stop(): Promise<void>;
  /** The parts of a stop have deadlines of their own; what takes longer than all of them together hangs. */
  stopsWithinMs: number;
}

export interface NodeOptions {
  /** Adds routes before the node listens: tests of starting and stopping need some that do as they say. */
  extend?: (app: App, deps: AppDeps) => void;
  /** Systems reached over the network, besides those that are built in. */
  connectors?: AppDeps['connectors'];
  stalledAfterMs?: AppDeps['stalledAfterMs'];
  /** Whether a new sandbox gets people and bookings too; tests and benchmarks want tables that are free. */
  hasEvening?: boolean;
  print?: (line: string) => void;
}

type Progress = (line: string) => void;

/** Everything between a configuration and a node that answers. When a step fails, those before it are undone. */
export async function startNode(wanted: Config, options: NodeOptions = {}): Promise<RunningNode> {
  // Known first, so that a taken port is reported before minutes go into a database.
  const config = onPort(wanted, await choosePort(wanted));
  const { progress, attach } = progressOf(config, options.print);
  await using started = new AsyncDisposableStack();

  const encryptionKeys = await loadEncryptionKeys(config);
  let appLog: App['log'] | undefined;
  const log = { warn: (line: string) => appLog?.warn(line), info: (line: string) => appLog?.info(line) };
  const tracing = config.tracing && (await loadTracing()).startTracing(config.tracing, log);
  started.defer(() => tracing?.stop());
  const database = await connectDatabase(config, progress);
  started.defer(() => database.stop());
  const liveness = watchLiveness(database.url, log);
  started.defer(() => liveness.stop());
  const sql = openPool(database.url, { ...NODE_POOL, liveness });
  let reads: Replicas | undefined;
  started.defer(
    async () => void (await Promise.all([sql.end({ timeout: DEADLINES.stopPool / 1000 }), reads?.close()])),
  );
  const { now: clock, aheadMs, close } = await openDatabaseClock(sql);
  started.defer(close);
  const evening = options.hasEvening ? { encryptionKeys } : undefined;
  const signInAs = await prepareData({
    config,
    databaseUrl: database.url,
    clock,
    progress,
    encryptionKeys,
    evening,
  });

  const notifications = await openNotifications(database.url, { log, liveness });
  started.defer(() => notifications.close());
  if (config.databaseReadUrl) reads = openReplicas(config.databaseReadUrl, { sql, log });
  const { connectors = [], stalledAfterMs } = options;
  const deps: AppDeps = {
    config,
    sql,
    ...(reads && { reads }),
    notifications,
    encryptionKeys,
    clock,
    clockAheadMs: aheadMs,
    connectors,
    tracing,
    ...(stalledAfterMs !== undefined && { stalledAfterMs }),
  };
  const services = await createServices(deps);
  started.defer(() => services.webhooks.close());
  started.defer(() => services.connections.close());
  started.defer(() => services.systems.calls.close());
  const heartbeat = services.health.startHeartbeat();
  started.defer(() => heartbeat.stop());
  const app = await buildApp(deps, tracedServices(services));
  appLog = app.log;
  attach(app);
  // Where jobs have not run for long. Without its month an event is kept in the default partition.
  await services.retention
    .prepareMonths()
    .catch((err) => app.log.warn({ err }, 'The partitions of the next months could not be made.'));
  options.extend?.(app, deps);
  if (config.role !== 'api') {
    const work = jobsOf(services, config);
    const jobs = await startJobs({
      url: database.url,
      liveness,
      logger: app.log,
      jobs: work,
      observe: services.jobRuns.note,
    });
    started.defer(() => jobs.stop());
    const dispatcher = services.webhooks.startDispatcher();
    started.defer(() => dispatcher.stop());
    const postman = services.mailing.startPostman();
    started.defer(() => postman.stop());
    const resealing = services.encryption.start();
    started.defer(() => resealing.stop());
    const closing = services.closures.start();
    started.defer(() => closing.stop());
    const waitlist = services.waitlist.start();
    started.defer(() => waitlist.stop());
    const following = services.systemChanges.start();
    started.defer(() => following.stop());
    const catalogues = services.systemCatalogue.start();
    started.defer(() => catalogues.stop());
    const scheduler = services.feed.startFeedScheduler(database.url);
    started.defer(() => scheduler.stop());
  }
  started.defer(() => drain(app, config));
  await listen(app, config);

  const address = localUrl(config.host, config.port);
  for (const line of bannerLines(config, address, signInAs)) progress(line);
  const running = started.move();
  return { address, stop: () => running.disposeAsync(), stopsWithinMs: stopsWithinMs(config) };
}

/** The packages of OpenTelemetry are loaded only where traces are wanted. */
const loadTracing = () => import('./http/observability/opentelemetry.ts');

interface Preparation {
  config: Config;
  databaseUrl: string;
  clock: Clock;
  progress: Progress;
  encryptionKeys: Keyring;
  evening: SeedOptions['evening'];
}

/** On a connection of its own: a migration may take longer than any statement of a request. */
async function prepareData({ databaseUrl, ...preparation }: Preparation): Promise<typeof people> {
  const sql = openPool(databaseUrl, { max: 1 });
  try {
    await migrateAndSeed(sql, preparation);
    return preparation.config.environment === 'sandbox' ? await findPeople(sql) : [];
  } finally {
    await sql.end({ timeout: DEADLINES.stopPool / 1000 });
  }
}

async function migrateAndSeed(
  sql: Sql,
  { config, clock, progress, encryptionKeys, evening }: Omit<Preparation, 'databaseUrl'>,
): Promise<void> {
  const applied = await migrate(sql, { progress });
  await registerKeys(sql, encryptionKeys);
  if (config.environment === 'live') return;
  // Seeding again finds everything there; only the first time takes long enough to be mentioned.
  if (applied > 0) progress('Seeding the demo data …');
  await seedDemo(sql, clock, { evening: config.environment === 'sandbox' ? evening : undefined });
}

/** In live the lines go to the log alone, which exists once the application does; until then they wait. */
function progressOf(
  config: Config,
  print: Progress = console.log,
): { progress: Progress; attach(app: App): void } {
  if (config.environment !== 'live') return { progress: print, attach: () => {} };
  const waiting: string[] = [];
  let write: Progress = (line) => waiting.push(line);
  return {
    progress: (line) => write(line),
    attach(app) {
      write = (line) => app.log.info(line.trim());
      waiting.forEach(write);
    },
  };
}

const DRAIN_POLL_MS = 50;

/**
 * Requests that have begun are answered, for a while. Once the port is closed, connections that wait for a next
 * request are not kept; before that a balancer may be about to use them.
 */
async function drain(app: App, { drainSeconds }: Config): Promise<void> {
  const dropIdle = setInterval(() => {
    if (!app.server.listening) app.server.closeIdleConnections();
  }, DRAIN_POLL_MS);
  const giveUp = setTimeout(
    () => app.server.closeAllConnections(),
    drainSeconds * 1000 + DEADLINES.stopRequests,
  );
  try {
    await app.close();
  } finally {
    clearInterval(dropIdle);
    clearTimeout(giveUp);
  }
}

const stopsWithinMs = ({ drainSeconds, databaseUrl }: Config) =>
  drainSeconds * 1000 + DEADLINES.stop + (databaseUrl ? 0 : DEADLINES.embeddedStop);

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw cannotListen(error, host, port);
  }
}

/** The port this node will listen on: the one asked for, or a free one for 0. */
async function choosePort({ host, port }: Config): Promise<number> {
  try {
    return await tryPort(host, port);
  } catch (error) {
    throw cannotListen(error, host, port);
  }
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new StartError(`Port ${port} on ${host} is in use by another program; set PORT to a free one.`);
    case 'EACCES':
      return new StartError(
        `Port ${port} is reserved for the system administrator; set PORT to one above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`HOST ${host} is not an address of this machine (${reasonOf(error)}).`);
    default:
      return error;
  }
}

/** What the operator of a node that has just started needs to know; outside live that includes how to try it. */
export function bannerLines(config: Config, address: string, signInAs = people): string[] {
  const lines = [`Listening on ${address} (${config.environment}, role ${config.role}).`];
  if (config.role === 'worker') return [...lines, `  health     ${address}/health/ready`];
  lines.push(
    `  API        ${config.publicUrl}`,
    `  reference  ${address}/docs`,
    `  OpenAPI    ${address}/openapi.json`,
    `  guides     ${address}/docs/guides`,
    `  health     ${address}/health/ready`,
  );
  if (config.environment === 'live') return lines;
  const isSandbox = config.environment === 'sandbox';
  return [...lines, ...(isSandbox ? peopleLines(config, signInAs) : []), ...demoLines(config, address)];
}

/** Whom to sign in as; they are made with the demo data of a new sandbox. */
function peopleLines({ publicUrl }: Config, signInAs: typeof people): string[] {
  const console = `Console: ${publicUrl}/console`;
  if (signInAs.length === 0) return ['', console];
  const width = Math.max(...signInAs.map(({ email }) => email.length));
  return [
    '',
    `${console} (e-mail, password):`,
    ...signInAs.map(({ email, role }) => `  ${email.padEnd(width)}  ${DEMO_PASSWORD}  ${role}`),
  ];
}

function demoLines({ audience }: Config, address: string): string[] {
  return [
    '',
    'Demo clients (id, secret):',
    '  demo-partner   demo-partner-secret    a partner',
    '  other-partner  other-partner-secret   a partner that sees other venues',
    '  demo-agent     demo-agent-secret      an agent; send X-Partner-Reference: demo-partner',
    '  demo-assistant demo-assistant-secret  the same, with a mandate',
    '  demo-operator  demo-operator-secret   operator 1',
    '  demo-admin     demo-admin-secret      the platform',
    '',
    'Try it:',
    `  TOKEN=$(curl -s ${address}/oauth/token -d grant_type=client_credentials \\`,
    `    -d client_id=demo-partner -d client_secret=demo-partner-secret -d 'audience=${audience}' \\`,
    `    | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')`,
    `  curl -s '${address}/venues?pageSize=3' -H "Authorization: Bearer $TOKEN"`,
    '',
  ];
}
