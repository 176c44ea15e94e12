import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import type { Config } from './config.ts';
import { ping, type Sql } from './db/database.ts';
import type { Notifications } from './db/notifications.ts';
import { operatorInviteRoutes, platformInviteRoutes } from './features/accounts/invite-routes.ts';
import { accountJobs } from './features/accounts/jobs.ts';
import { memberRoutes, userRoutes } from './features/accounts/routes.ts';
import { type Accounts, createAccounts } from './features/accounts/service.ts';
import { sessionRoutes } from './features/accounts/session-routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { createTrail, type Trail } from './features/audit/service.ts';
import { batchRoutes } from './features/availability/batch-routes.ts';
import { availabilityRuleRoutes } from './features/availability/manage-routes.ts';
import { createMarketplaces } from './features/availability/marketplace.ts';
import { marketplaceRoutes } from './features/availability/marketplace-routes.ts';
import { createOperatorRules } from './features/availability/operator-rules.ts';
import { availabilityRoutes } from './features/availability/routes.ts';
import { createRuleStorage } from './features/availability/rule-storing.ts';
import { type AvailabilityService, createAvailability } from './features/availability/service.ts';
import { bookingJobs } from './features/bookings/jobs.ts';
import { manageBookingRoutes } from './features/bookings/manage-routes.ts';
import { createManagedBookings } from './features/bookings/managing.ts';
import { bookingRoutes } from './features/bookings/routes.ts';
import { type Bookings, createBookings } from './features/bookings/service.ts';
import { createEvents, type Events } from './features/events/service.ts';
import { faqRoutes, manageFaqRoutes } from './features/faqs/routes.ts';
import { createFaqs, type Faqs } from './features/faqs/service.ts';
import { feedMetrics } from './features/feed/metrics.ts';
import { feedFolder } from './features/feed/open-storage.ts';
import { feedRoutes } from './features/feed/routes.ts';
import { createFeed, type Feed } from './features/feed/service.ts';
import { idempotencyJobs } from './features/idempotency/jobs.ts';
import { createIdempotency, type Idempotency } from './features/idempotency/service.ts';
import { identityJobs } from './features/identity/jobs.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { createIdentity, type Identity } from './features/identity/service.ts';
import { layoutRoutes } from './features/layout/routes.ts';
import { createLayout } from './features/layout/service.ts';
import { spaceRoutes } from './features/layout/space-routes.ts';
import { createSpaces } from './features/layout/spaces.ts';
import { createSpendOverrides } from './features/layout/spend-overrides.ts';
import { listingRoutes } from './features/listings/routes.ts';
import { createListings, type Listings } from './features/listings/service.ts';
import { mailJobs } from './features/mail/jobs.ts';
import { createMailing, type Mailing } from './features/mail/service.ts';
import { mediaJobs } from './features/media/jobs.ts';
import { mediaRoutes, photoRoutes } from './features/media/routes.ts';
import { createMedia, type Media } from './features/media/service.ts';
import { uploadRoutes } from './features/media/upload-routes.ts';
import { orderJobs } from './features/orders/jobs.ts';
import { orderRoutes } from './features/orders/routes.ts';
import { createOrders, type Orders } from './features/orders/service.ts';
import { createBuiltInProvider } from './features/payments/built-in.ts';
import { paymentJobs } from './features/payments/jobs.ts';
import type { PaymentProvider } from './features/payments/provider.ts';
import { paymentRoutes } from './features/payments/routes.ts';
import { createPayments, type Payments } from './features/payments/service.ts';
import { platformRoutes } from './features/platform/routes.ts';
import { createPlatform, findSystemAccount, type Platform } from './features/platform/service.ts';
import { manageRuleRoutes } from './features/rules/manage-routes.ts';
import { createManagedRules } from './features/rules/managing.ts';
import { ruleRoutes } from './features/rules/routes.ts';
import { createRules, type Rules } from './features/rules/service.ts';
import { transferRoutes } from './features/transfer/routes.ts';
import { createTransfer, type Transfer } from './features/transfer/service.ts';
import { type Catalogue, createCatalogue } from './features/venues/catalogue.ts';
import { catalogueRoutes } from './features/venues/catalogue-routes.ts';
import { venueRoutes } from './features/venues/routes.ts';
import { createVenues, type Venues } from './features/venues/service.ts';
import type { Resolve } from './features/webhooks/dialler.ts';
import { logRoutes } from './features/webhooks/log-routes.ts';
import { subscriptionRoutes } from './features/webhooks/routes.ts';
import { createWebhooks, type Webhooks } from './features/webhooks/service.ts';
import { testRoutes } from './features/webhooks/test-routes.ts';
import { clientActor } from './http/actor.ts';
import { createAnswers } from './http/answers.ts';
import { installDocs } from './http/docs.ts';
import { answersInTime, healthRoutes } from './http/health.ts';
import { type Identification, installIdentification } from './http/identify.ts';
import { installJsonBody } from './http/json-body.ts';
import { installLoadShedding, type LoadThresholds } from './http/load-shedding.ts';
import { refuseOtherMethods, trackMethods } from './http/method-not-allowed.ts';
import { installMetrics } from './http/metrics.ts';
import { installOpenApi } from './http/openapi.ts';
import { installProblems } from './http/problem-handler.ts';
import { problemPageRoutes } from './http/problem-pages.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { installHygiene } from './http/request-hygiene.ts';
import type { App } from './http/route.ts';
import { serverOptions } from './http/server-options.ts';
import { createServiceLog } from './http/service-log.ts';
import { validatorCompiler } from './http/validation.ts';
import type { JobDefinition } from './jobs/jobs.ts';
import { type Clock, epochMilliseconds } from './kernel/clock.ts';
import type { LocalConnector, RemoteConnector } from './tms/contract.ts';
import { keepBooks } from './tms/house/books.ts';
import { createHouse } from './tms/house/connector.ts';
import { createRegistry } from './tms/registry.ts';
import { withResilience } from './tms/resilience.ts';
import { createTickets } from './tms/tickets/connector.ts';

export interface AppDeps {
  config: Config;
  sql: Sql;
  notifications: Notifications;
  encryptionKey: Buffer;
  clock: Clock;
  /** Systems reached over the network, besides those that are built in. */
  connectors?: RemoteConnector[];
  /** Absent: the one that is built in. */
  paymentProvider?: PaymentProvider;
  /** What the names of callbacks stand for; absent: what name servers say. */
  resolve?: Resolve;
  /** The built-in systems; others are passed in only by tests which show that their locks are needed. */
  builtIn?: (notifications: Notifications) => LocalConnector[];
  /** When calls are shed; tests on a busy machine set them higher. */
  loadThresholds?: LoadThresholds;
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
  orders: Orders;
  feed: Feed;
  payments: Payments;
  webhooks: Webhooks;
  trail: Trail;
  catalogue: Catalogue;
  platform: Platform;
  mailing: Mailing;
  accounts: Accounts;
  faqs: Faqs;
  media: Media;
  transfer: Transfer;
}

export async function createServices(deps: AppDeps): Promise<Services> {
  const { sql, clock, notifications, connectors = [], builtIn = builtInSystems } = deps;
  const events = createEvents(deps);
  const venues = createVenues(deps);
  const registry = createRegistry([
    ...builtIn(notifications),
    ...connectors.map((connector) => withResilience(connector)),
  ]);
  for (const connector of connectors)
    connector.useAccounts?.((operatorId) => findSystemAccount(deps, operatorId, connector.slug));
  const log = createServiceLog(deps.config.logLevel, deps.logStream);
  const rules = createRules({
    ...deps,
    onBrokenRule: (ruleId, err) => log.error({ ruleId, err }, 'A booking rule cannot be carried out.'),
  });
  const operatorRules = createOperatorRules();
  const availability = createAvailability({ sql, clock, venues, registry, operatorRules, rules });
  const idempotency = createIdempotency(deps);
  const bookings = createBookings({ ...deps, venues, rules, availability, registry, events, idempotency });
  const trail = createTrail(deps);
  const mailing = createMailing({ ...deps, log });
  const provider = deps.paymentProvider ?? builtInProvider(deps.config);
  return {
    identity: await createIdentity(deps),
    venues,
    listings: createListings({ ...deps, registry }),
    rules,
    availability,
    events,
    idempotency,
    bookings,
    feed: createFeed({ ...deps, log }),
    orders: createOrders({ ...deps, registry, bookings, idempotency, log }),
    payments: createPayments({ sql, clock, bookings, idempotency, provider }),
    webhooks: createWebhooks({ ...deps, bookings, venues, log }),
    trail,
    catalogue: createCatalogue({ ...deps, events, registry, trail }),
    platform: createPlatform({ ...deps, registry, trail }),
    mailing,
    accounts: createAccounts({ ...deps, trail, mailing }),
    faqs: createFaqs({ sql, venues, trail }),
    media: createMedia({ ...deps, venues, trail }),
    transfer: createTransfer({ ...deps, registry, trail }),
  };
}

const builtInSystems = (notifications: Notifications) => [
  createHouse({ books: keepBooks(notifications) }),
  createTickets(),
];

const builtInProvider = ({ environment }: Config) =>
  createBuiltInProvider({ isLive: environment === 'live' });

/** The background work of all features. */
export function jobsOf(services: Services, config: Config): JobDefinition[] {
  return [
    ...identityJobs(services.identity),
    ...bookingJobs(services.bookings, config),
    ...orderJobs(services.orders, config),
    ...paymentJobs(services.payments),
    ...idempotencyJobs(services.idempotency),
    ...mediaJobs(services.media),
    ...mailJobs(services.mailing),
    ...accountJobs(services.accounts),
  ];
}

/** The application that production and tests share; it does not listen yet. */
export async function buildApp(deps: AppDeps, services: Services): Promise<App> {
  const { config, logStream } = deps;
  const { publicUrl } = config;
  const app: App = Fastify({
    ...serverOptions({ ...config, ...(logStream && { logStream }) }),
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  // Answers are rendered by `render`; what is left (tokens, health) is small and must not lose members.
  app.setSerializerCompiler(() => JSON.stringify);

  const methods = trackMethods(app);
  installProblems(app, { publicUrl });
  installHygiene(app, { publicUrl });
  feedMetrics(installMetrics(app), services.feed);
  installLoadShedding(app, deps.loadThresholds);
  installJsonBody(app);
  reportHealth(app, deps);
  if (config.role !== 'worker') await serveApi(app, deps, services);
  refuseOtherMethods(app, methods);
  return app;
}

async function serveApi(app: App, deps: AppDeps, services: Services): Promise<void> {
  const { identity, venues, listings, rules, availability, bookings, orders, payments, webhooks } = services;
  const { config, clock, notifications } = deps;
  const limiter = await createRateLimiter({
    limit: config.rateLimit,
    nowMs: () => epochMilliseconds(clock),
    redisUrl: config.redisUrl,
    logger: app.log,
  });
  app.addHook('onClose', () => limiter.close());
  installIdentification(app, identificationOf(services), limiter);
  await installOpenApi(app);
  await installDocs(app, config);
  problemPageRoutes(app, { publicUrl: config.publicUrl });

  identityRoutes(app, identity);
  const answers = createAnswers(notifications);
  venueRoutes(app, { venues, answers });
  listingRoutes(app, { listings, answers });
  ruleRoutes(app, { rules, bookings });
  availabilityRoutes(app, availability);
  batchRoutes(app, { availability, publicUrl: config.publicUrl });
  bookingRoutes(app, bookings);
  orderRoutes(app, orders, config);
  paymentRoutes(app, payments);
  subscriptionRoutes(app, webhooks);
  testRoutes(app, webhooks);
  logRoutes(app, webhooks);
  faqRoutes(app, services.faqs);
  mediaRoutes(app, services.media);
  if (!config.feedBucket) feedRoutes(app, { folder: feedFolder(config) });
  manageApi(app, deps, services);
}

/** What operators and the platform do; see `http/manage-route.ts`. */
function manageApi(app: App, deps: AppDeps, services: Services): void {
  auditRoutes(app, services.trail);
  catalogueRoutes(app, services.catalogue);
  platformRoutes(app, services.platform);
  transferRoutes(app, services.transfer);
  sessionRoutes(app, services.accounts, deps);
  userRoutes(app, services.accounts);
  memberRoutes(app, services.accounts);
  operatorInviteRoutes(app, services.accounts);
  platformInviteRoutes(app, services.accounts);
  const layoutDeps = { ...deps, ...services };
  layoutRoutes(app, createLayout(layoutDeps));
  spaceRoutes(app, { spaces: createSpaces(layoutDeps), overrides: createSpendOverrides(layoutDeps) });
  const marketplaces = createMarketplaces({ ...deps, ...services });
  availabilityRuleRoutes(app, createRuleStorage({ ...deps, ...services, marketplaces }));
  marketplaceRoutes(app, marketplaces);
  manageBookingRoutes(app, createManagedBookings({ ...deps, ...services }));
  manageRuleRoutes(app, createManagedRules({ ...deps, ...services }));
  manageFaqRoutes(app, services.faqs);
  photoRoutes(app, services.media);
  uploadRoutes(app, services.media);
}

/** Clients are known by their tokens, people by their sessions. */
function identificationOf({ identity, accounts }: Services): Identification {
  return {
    ...identity,
    resolveActor: async (authorization, partnerReference) =>
      accounts.isSession(authorization)
        ? accounts.resolveSession(authorization)
        : clientActor(await identity.resolveCaller(authorization, partnerReference)),
  };
}

/** A node that is about to stop says so first, so that no balancer sends it anything new. */
function reportHealth(app: App, { sql, notifications }: AppDeps): void {
  let isStaying = true;
  app.addHook('preClose', async () => {
    isStaying = false;
  });
  healthRoutes(app, {
    isReady: async () => ({
      database: await answersInTime(() => ping(sql)),
      notifications: notifications.isConnected(),
      staying: isStaying,
    }),
  });
}
