import type { Registry } from 'prom-client';
import { createMcp, type Mcp } from './channels/mcp/service.ts';
import { createOcto, type Octo, octoJobs, SEALED_RESERVATIONS } from './channels/octo/service.ts';
import type { Config } from './config.ts';
import type { Sql } from './db/database.ts';
import type { Notifications } from './db/notifications.ts';
import type { Replicas } from './db/reads.ts';
import { type Accounts, accountJobs, createAccounts } from './features/accounts/service.ts';
import { type AuditLog, createAuditLog } from './features/audit/service.ts';
import { createOperatorRules } from './features/availability/operator-rules/operator-rules.ts';
import { type AvailabilityService, createAvailability } from './features/availability/service.ts';
import { createRules, type Rules } from './features/booking-rules/service.ts';
import { bookingJobs } from './features/bookings/running/jobs.ts';
import {
  type Bookings,
  createBookings,
  SEALED_GUESTS,
  SEALED_MESSAGES,
} from './features/bookings/service.ts';
import { type ClientServices, createClientServices } from './features/clients/service.ts';
import { type Closures, closureJobs, createClosures, SEALED_CLOSURES } from './features/closures/service.ts';
import { createDiaries, type Diaries, diaryJobs } from './features/diary/service.ts';
import { createEncryption, type Encryption } from './features/encryption/service.ts';
import { createEvents, type Events, SEALED_EVENTS } from './features/events/service.ts';
import { createFaqs, type Faqs } from './features/faqs/service.ts';
import { createFeed, type Feed } from './features/feed/service.ts';
import { createHealth, type Health } from './features/health/service.ts';
import {
  createIdempotency,
  type Idempotency,
  idempotencyJobs,
  SEALED_KEPT_ANSWERS,
} from './features/idempotency/service.ts';
import {
  createIdentity,
  type Identity,
  identityJobs,
  SEALED_SIGNING_KEYS,
} from './features/identity/service.ts';
import { createListings, type Listings } from './features/listings/service.ts';
import { createMailing, type Mailing, mailJobs, SEALED_MAILS } from './features/mail/service.ts';
import { createMandates, type Mandates } from './features/mandates/service.ts';
import { createMedia, type Media, mediaJobs } from './features/media/service.ts';
import {
  createNotices,
  createNotificationService,
  type NotificationService,
  notificationJobs,
} from './features/notifications/service.ts';
import { createOperators, type Operators } from './features/operators/service.ts';
import { createOrders, type Orders, orderJobs, SEALED_ORDER_ITEMS } from './features/orders/service.ts';
import { createPartnerServices, type PartnerServices } from './features/partners/service.ts';
import { createProvider } from './features/payments/create-provider.ts';
import type { PaymentProvider } from './features/payments/provider.ts';
import { createPayments, type Payments, paymentJobs } from './features/payments/service.ts';
import { createRequestLog, type RequestLog, requestLogJobs } from './features/request-log/service.ts';
import { createRetention, type Retention, retentionJobs } from './features/retention/service.ts';
import {
  createSystemCatalogue,
  type SystemCatalogue,
  systemCatalogueJobs,
} from './features/system-catalogue/service.ts';
import { createSystemChanges, type SystemChanges } from './features/system-changes/service.ts';
import {
  type Connections,
  createCallRecord,
  createSystemServices,
  openConnections,
  SEALED_CREDENTIALS,
  type SystemServices,
  systemJobs,
} from './features/systems/service.ts';
import { createTransfer, type Transfer } from './features/transfer/service.ts';
import { type Catalogue, createCatalogue } from './features/venues/manage/service.ts';
import { createVenues, embeddingJobs, type Venues } from './features/venues/service.ts';
import { createWaitlist, SEALED_ENTRIES, type Waitlist, waitlistJobs } from './features/waitlist/service.ts';
import {
  createWebhooks,
  SEALED_ANSWERS,
  SEALED_SECRETS,
  type Webhooks,
} from './features/webhooks/service.ts';
import type { AdmissionLimits } from './http/limits/admission.ts';
import { createServiceLog } from './http/observability/logging.ts';
import { createJobRuns, type JobRuns } from './jobs/job-runs.ts';
import type { JobDefinition } from './jobs/jobs.ts';
import { type Clock, epochMilliseconds } from './kernel/clock.ts';
import type { Keyring } from './kernel/crypto.ts';
import type { Resolve } from './kernel/safe-connector.ts';
import type { SealedTable } from './kernel/sealed-table.ts';
import { PROGRAM_VERSION } from './kernel/version.ts';
import type { LocalConnector } from './tms/contract.ts';
import { createHoldSweeper, createPastMover } from './tms/housekeeping.ts';
import type { RemoteConnector } from './tms/remote.ts';
import type { ProtectedConnector } from './tms/resilience.ts';
import { LOCAL_SYSTEMS } from './tms/systems.ts';

export interface AppDeps {
  config: Config;
  sql: Sql;
  /** Absent: the primary answers all reads. */
  reads?: Replicas;
  notifications: Notifications;
  encryptionKeys: Keyring;
  clock: Clock;
  /** By how much the clock of the machine is ahead of `clock`; absent where a test decides the time. */
  clockAheadMs?: () => number;
  /** Systems reached over the network, besides those that are built in. */
  connectors?: RemoteConnector[];
  /** Absent: the one that the settings name. */
  paymentProvider?: PaymentProvider;
  /** What the names of callbacks stand for; absent: what name servers say. */
  resolve?: Resolve;
  /** The built-in systems; others are passed in only by tests which show that their locks are needed. */
  builtIn?: (notifications: Notifications) => LocalConnector[];
  /** How much is taken on at a time; tests that want refusals set them lower. */
  admissionLimits?: AdmissionLimits;
  /** How long a peer may read nothing of what waits for it; tests that wait for the end of it set it lower. */
  stalledAfterMs?: number;
  /** Where traces are wanted: what became of their spans. */
  tracing?: { register(registry: Registry): void } | undefined;
  /** Where log lines go; standard output unless a test wants to read them. */
  logStream?: { write(line: string): void };
}

/** What the features do, apart from HTTP. */
export interface Services {
  identity: Identity;
  venues: Venues;
  listings: Listings;
  rules: Rules;
  availability: AvailabilityService;
  events: Events;
  idempotency: Idempotency;
  bookings: Bookings;
  mandates: Mandates;
  closures: Closures;
  orders: Orders;
  feed: Feed;
  payments: Payments;
  webhooks: Webhooks;
  auditLog: AuditLog;
  catalogue: Catalogue;
  operators: Operators;
  systems: SystemServices;
  partners: PartnerServices;
  clients: ClientServices;
  mailing: Mailing;
  notification: NotificationService;
  accounts: Accounts;
  faqs: Faqs;
  media: Media;
  transfer: Transfer;
  systemCatalogue: SystemCatalogue;
  diaries: Diaries;
  waitlist: Waitlist;
  requestLog: RequestLog;
  retention: Retention;
  health: Health;
  encryption: Encryption;
  octo: Octo;
  mcp: Mcp;
  connections: Connections;
  /** The systems reached over the network, as they are now. */
  readonly remoteSystems: readonly ProtectedConnector[];
  systemChanges: SystemChanges;
  sweepHolds(signal: AbortSignal): Promise<void>;
  /** How the jobs of this node went. */
  jobRuns: JobRuns;
  movePastStays(signal: AbortSignal): Promise<void>;
}

export async function createServices(deps: AppDeps): Promise<Services> {
  const { sql, clock, notifications, connectors = [], builtIn = builtInSystems } = deps;
  const events = createEvents(deps);
  const venues = createVenues(deps);
  const localSystems = builtIn(notifications);
  const log = createServiceLog(deps.config.logLevel, deps.logStream);
  const calls = createCallRecord({ sql, clock, log });
  const connections = await openConnections({
    ...deps,
    builtIn: localSystems,
    given: connectors,
    observe: calls.observe,
    log,
  });
  const { registry } = connections;
  const rules = createRules({
    ...deps,
    onBrokenRule: (ruleId, err) => log.error({ ruleId, err }, 'A booking rule cannot be carried out.'),
  });
  const operatorRules = createOperatorRules();
  const availability = createAvailability({ sql, clock, venues, registry, operatorRules, rules });
  const idempotency = createIdempotency(deps);
  const mailing = createMailing({ ...deps, log });
  const notices = createNotices({ ...deps, mailing });
  const provider = deps.paymentProvider ?? (await createProvider({ ...deps, log }));
  const identity = await createIdentity(deps);
  const auditLog = createAuditLog(deps);
  const mandates = createMandates({ ...deps, auditLog });
  const bookings = createBookings({
    ...deps,
    mandates,
    offers: identity.offers,
    venues,
    rules,
    availability,
    registry,
    events,
    idempotency,
    notices,
    takesPayments: provider !== null,
  });
  const platformDeps = { ...deps, registry, auditLog };
  const encryption = createEncryption({
    ...deps,
    tables: SEALED_TABLES,
    guests: {
      restart: (tx) => bookings.restartHashing(tx),
      async hash(signal) {
        await bookings.hashGuests(signal);
        return Boolean((await bookings.hashProgress())?.finishedAt);
      },
    },
    log,
  });
  const health = createHealth({
    ...deps,
    encryption,
    version: PROGRAM_VERSION,
    listSystems: connections.listRemote,
    log,
  });
  return {
    identity,
    venues,
    listings: createListings({ ...deps, registry, venues }),
    rules,
    availability,
    events,
    idempotency,
    bookings,
    mandates,
    closures: createClosures({ ...deps, auditLog, bookings, log }),
    feed: createFeed({ ...deps, log }),
    orders: createOrders({ ...deps, registry, bookings, idempotency, log }),
    payments: createPayments({ sql, clock, bookings, idempotency, auditLog, provider }),
    webhooks: createWebhooks({ ...deps, bookings, venues, log }),
    auditLog,
    catalogue: createCatalogue({ ...deps, events, registry, auditLog }),
    operators: createOperators(platformDeps),
    systems: createSystemServices({ ...platformDeps, connections, calls, countResting: health.countResting }),
    partners: createPartnerServices(platformDeps),
    clients: createClientServices(platformDeps),
    mailing,
    notification: createNotificationService({ ...deps, mailing, notices, bookings, auditLog }),
    accounts: createAccounts({ ...deps, auditLog, mailing }),
    faqs: createFaqs({ sql, venues, auditLog }),
    media: createMedia({ ...deps, auditLog }),
    transfer: createTransfer({ ...deps, registry, auditLog }),
    systemCatalogue: createSystemCatalogue({ ...deps, registry, auditLog, log }),
    diaries: createDiaries({ sql, notifications, bookings, log }),
    waitlist: createWaitlist({
      ...deps,
      registry,
      venues,
      bookings,
      events,
      idempotency,
      notices,
      auditLog,
      log,
    }),
    requestLog: createRequestLog({ ...deps, log }),
    retention: createRetention({ ...deps, log }),
    health,
    encryption,
    octo: createOcto({ ...deps, registry, venues, availability, bookings }),
    mcp: createMcp({
      ...deps,
      venues,
      availability,
      bookings,
      rules,
      mandates,
      version: PROGRAM_VERSION,
      onError: (err) => log.warn({ err }, 'A request of MCP was rejected.'),
    }),
    connections,
    get remoteSystems() {
      return connections.listRemote();
    },
    systemChanges: createSystemChanges({ ...deps, connections, auditLog, bookings, log }),
    sweepHolds: createHoldSweeper({ sql, clock, connectors: localSystems }),
    jobRuns: createJobRuns(() => epochMilliseconds(clock)),
    movePastStays: createPastMover({ sql, clock, connectors: localSystems }),
  };
}

/** Everything that is sealed in the database. A new kind of it has to be added here. */
export const SEALED_TABLES: readonly SealedTable[] = [
  SEALED_SIGNING_KEYS,
  SEALED_CREDENTIALS,
  SEALED_SECRETS,
  SEALED_GUESTS,
  SEALED_MESSAGES,
  SEALED_ORDER_ITEMS,
  SEALED_ENTRIES,
  SEALED_RESERVATIONS,
  SEALED_CLOSURES,
  SEALED_EVENTS,
  SEALED_ANSWERS,
  SEALED_MAILS,
  SEALED_KEPT_ANSWERS,
];

const builtInSystems = (notifications: Notifications) =>
  LOCAL_SYSTEMS.map((system) => system.connect(notifications));

/** The background work of all features. */
export function jobsOf(services: Services, config: Config): JobDefinition[] {
  return [
    ...identityJobs(services.identity),
    ...bookingJobs(services.bookings, config),
    ...closureJobs(services.closures),
    ...orderJobs(services.orders, config),
    ...paymentJobs(services.payments),
    ...idempotencyJobs(services.idempotency),
    ...mediaJobs(services.media),
    ...mailJobs(services.mailing),
    ...notificationJobs(services.notification),
    ...accountJobs(services.accounts),
    ...diaryJobs(services.diaries),
    ...waitlistJobs(services.waitlist, config),
    ...requestLogJobs(services.requestLog),
    ...retentionJobs(services.retention),
    ...octoJobs(services.octo),
    ...embeddingJobs(services.venues.embeddings),
    {
      name: 'systems.sweep-holds',
      schedule: '*/10 * * * *',
      handle: (signal) => services.sweepHolds(signal),
    },
    {
      name: 'systems.move-past-stays',
      schedule: '17 4 * * *',
      handle: (signal) => services.movePastStays(signal),
    },
    ...systemCatalogueJobs(services.systemCatalogue),
    ...systemJobs(services.systems),
  ];
}
