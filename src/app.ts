import { setTimeout as sleep } from 'node:timers/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import type { Registry } from 'prom-client';
import { mcpRoutes } from './channels/mcp/routes.ts';
import { octoRoutes } from './channels/octo/routes.ts';
import type { Config } from './config.ts';
import { consoleRoutes } from './console/routes.ts';
import { canWrite, ping } from './db/database.ts';
import { developerRoutes, partnerInviteRoutes } from './features/accounts/developer-routes.ts';
import { operatorInviteRoutes, platformInviteRoutes } from './features/accounts/invite-routes.ts';
import { memberRoutes, userRoutes } from './features/accounts/routes.ts';
import { sessionRoutes } from './features/accounts/session-routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { batchRoutes } from './features/availability/batch-routes.ts';
import { findRoutes } from './features/availability/find/routes.ts';
import { createMarketplaces } from './features/availability/marketplace/marketplace.ts';
import { marketplaceRoutes } from './features/availability/marketplace/routes.ts';
import { availabilityRuleRoutes } from './features/availability/operator-rules/routes.ts';
import { createRuleStorage } from './features/availability/operator-rules/storing.ts';
import { availabilityRoutes } from './features/availability/routes.ts';
import { blockRoutes } from './features/blocks/routes.ts';
import { createBlocks } from './features/blocks/service.ts';
import { manageRuleRoutes } from './features/booking-rules/manage/routes.ts';
import { createManagedRules } from './features/booking-rules/manage/service.ts';
import { partnerRuleRoutes } from './features/booking-rules/partner-routes.ts';
import { ruleRoutes } from './features/booking-rules/routes.ts';
import { explainRoutes } from './features/bookings/explain-routes.ts';
import { manageHoldRoutes } from './features/bookings/holds/manage-routes.ts';
import { createManagedHolds } from './features/bookings/holds/managed.ts';
import { holdRoutes } from './features/bookings/holds/routes.ts';
import { manageBookingRoutes } from './features/bookings/operator/routes.ts';
import { createManagedBookings } from './features/bookings/operator/service.ts';
import { bookingRoutes } from './features/bookings/routes.ts';
import { bookingMetrics } from './features/bookings/running/metrics.ts';
import { partnerClientRoutes } from './features/clients/partner-routes.ts';
import { clientAccessRoutes, clientRoutes } from './features/clients/routes.ts';
import { closureRoutes } from './features/closures/routes.ts';
import { closureMetrics } from './features/closures/service.ts';
import { type DiaryRouteDeps, diaryRoutes } from './features/diary/routes.ts';
import { diaryMetrics } from './features/diary/service.ts';
import { encryptionMetrics } from './features/encryption/service.ts';
import { faqRoutes, manageFaqRoutes } from './features/faqs/routes.ts';
import { partnerFeedRoutes } from './features/feed/partner-routes.ts';
import { feedRoutes } from './features/feed/routes.ts';
import { feedMetrics } from './features/feed/service.ts';
import { feedFolder } from './features/feed/storage.ts';
import { platformHealthRoutes } from './features/health/routes.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { layoutRoutes } from './features/layout/routes.ts';
import { createLayout } from './features/layout/service.ts';
import { spaceRoutes } from './features/layout/space-routes.ts';
import { createSpaces } from './features/layout/spaces.ts';
import { createSpendOverrides } from './features/layout/spend-overrides.ts';
import { listingRoutes } from './features/listings/routes.ts';
import { mailMetrics } from './features/mail/service.ts';
import { manageMandateRoutes, mandateRoutes } from './features/mandates/routes.ts';
import { mediaRoutes, photoRoutes } from './features/media/routes.ts';
import { uploadRoutes } from './features/media/upload-routes.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { operatorRoutes } from './features/operators/routes.ts';
import { orderRoutes } from './features/orders/routes.ts';
import { partnerServiceRoutes } from './features/partners/routes.ts';
import { operatorRefundRoutes, paymentRoutes } from './features/payments/routes.ts';
import { paymentMetrics } from './features/payments/service.ts';
import { reportRoutes } from './features/reports/routes.ts';
import { createReports } from './features/reports/service.ts';
import { manageRequestLogRoutes, requestLogRoutes } from './features/request-log/routes.ts';
import { requestLogMetrics } from './features/request-log/service.ts';
import { retentionMetrics } from './features/retention/service.ts';
import { systemCatalogueRoutes } from './features/system-catalogue/routes.ts';
import { systemCatalogueMetrics } from './features/system-catalogue/service.ts';
import { systemChangeRoutes } from './features/system-changes/routes.ts';
import { systemChangeMetrics } from './features/system-changes/service.ts';
import { systemRoutes } from './features/systems/routes.ts';
import { transferRoutes } from './features/transfer/routes.ts';
import { catalogueRoutes } from './features/venues/manage/routes.ts';
import { venueRoutes } from './features/venues/routes.ts';
import { embeddingMetrics } from './features/venues/service.ts';
import { manageWaitlistRoutes } from './features/waitlist/manage-routes.ts';
import { waitlistPageRoutes } from './features/waitlist/page/routes.ts';
import { waitlistRoutes } from './features/waitlist/routes.ts';
import { waitlistMetrics } from './features/waitlist/service.ts';
import { logRoutes } from './features/webhooks/log/routes.ts';
import { managedWebhookRoutes } from './features/webhooks/manage/routes.ts';
import { createManagedWebhooks } from './features/webhooks/manage/service.ts';
import { subscriptionRoutes } from './features/webhooks/routes.ts';
import { webhookMetrics } from './features/webhooks/service.ts';
import { testRoutes } from './features/webhooks/testing/routes.ts';
import { assertRole, clientActor } from './http/auth/actor.ts';
import { type Identification, installIdentification } from './http/auth/identify.ts';
import { credentialOf } from './http/auth/session-cookie.ts';
import { createAnswers } from './http/format/answer-cache.ts';
import { installPreconditions } from './http/format/etag.ts';
import { installRepeats } from './http/format/repeats.ts';
import { installDeadlines } from './http/limits/deadline.ts';
import { installLoadShedder } from './http/limits/load-shedder.ts';
import { installLoadShedding } from './http/limits/memory-limit.ts';
import { countByAddress, createRateLimiter, PUBLIC_CALLS_PER_CALL } from './http/limits/rate-limit.ts';
import { noteAnsweredCalls } from './http/observability/answered-calls.ts';
import {
  answersInTime,
  findInTime,
  type HealthOptions,
  healthRoutes,
  judgeClock,
  watchShortage,
} from './http/observability/health.ts';
import { cacheMetrics, installMetrics, readMetrics, systemMetrics } from './http/observability/metrics.ts';
import { nodeMetrics, poolMetrics, readinessMetrics } from './http/observability/node-metrics.ts';
import { installTracing } from './http/observability/tracing.ts';
import { installOpenApi } from './http/openapi/openapi.ts';
import { installDocs } from './http/openapi/reference-page.ts';
import { pageFileRoutes } from './http/pages/frame.ts';
import { guideRoutes } from './http/pages/guides.ts';
import { homeRoutes } from './http/pages/home.ts';
import { refuseOtherMethods, trackMethods } from './http/problems/method-not-allowed.ts';
import { installProblems } from './http/problems/problem-handler.ts';
import { problemPageRoutes } from './http/problems/problem-pages.ts';
import { installHygiene } from './http/request-hygiene.ts';
import type { App } from './http/route.ts';
import { installSandboxFaults } from './http/sandbox-faults.ts';
import { closeStalledSockets, serverOptions } from './http/server.ts';
import { installJsonBody } from './http/validation/body-parsers.ts';
import { installReadOnlyFields } from './http/validation/read-only-fields.ts';
import { closeQueries } from './http/validation/unknown-parameters.ts';
import { validatorCompiler } from './http/validation/validation.ts';
import { epochMilliseconds } from './kernel/clock.ts';
import { DEADLINES } from './kernel/deadlines.ts';
import { partsOfVenueId, type VenueId } from './kernel/ids.ts';
import type { AppDeps, Services } from './services.ts';

/** The application that production and tests share; it does not listen yet. */
export async function buildApp(deps: AppDeps, services: Services): Promise<App> {
  const { config, logStream } = deps;
  const { publicUrl } = config;
  const nowMs = () => epochMilliseconds(deps.clock);
  const app: App = Fastify({
    ...serverOptions({ ...config, ...(logStream && { logStream }) }),
    // Fastify ends a hook after ten seconds, also the one that drains, and the stop with it.
    pluginTimeout: (config.drainSeconds + 10) * 1000,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  // Answers are rendered by `render`; what is left (tokens, health) is small and must not lose members.
  app.setSerializerCompiler(() => JSON.stringify);

  const methods = trackMethods(app);
  closeQueries(app);
  installProblems(app, { publicUrl });
  installHygiene(app, { publicUrl });
  installDeadlines(app);
  installTracing(app);
  installPreconditions(app);
  const repeat = installRepeats(app, { publicUrl });
  const loadShedder = installLoadShedder(app, {
    publicUrl,
    probe: () => ping(deps.sql),
    nowMs,
    limits: deps.admissionLimits,
  });
  countByAddress(app, { limit: PUBLIC_CALLS_PER_CALL * config.rateLimit, nowMs });
  const registry = installMetrics(app);
  registry.registerMetric(loadShedder.shed);
  registry.registerMetric(closeStalledSockets(app, deps.stalledAfterMs ?? DEADLINES.stalledReader));
  measure(registry, services);
  deps.tracing?.register(registry);
  installLoadShedding(app);
  installJsonBody(app);
  readMetrics(registry, deps.reads);
  readinessMetrics(registry, reportHealth(app, deps));
  nodeMetrics(registry, config);
  poolMetrics(registry, deps.sql);
  if (config.role !== 'worker') await serveApi(app, deps, services, { registry, repeat });
  refuseOtherMethods(app, methods);
  return app;
}

/** What waits, and what is behind; the request itself is measured by `installMetrics`. */
function measure(registry: Registry, services: Services): void {
  cacheMetrics(registry);
  feedMetrics(registry, services.feed);
  webhookMetrics(registry, services.webhooks);
  mailMetrics(registry, services.mailing);
  bookingMetrics(registry, services.bookings);
  services.mandates.refusals.register(registry);
  diaryMetrics(registry, services.diaries);
  waitlistMetrics(registry, services.waitlist);
  embeddingMetrics(registry, services.venues.embeddings);
  closureMetrics(registry, services.closures);
  encryptionMetrics(registry, services.encryption);
  paymentMetrics(registry, services.payments);
  systemMetrics(registry, services.connections.listRemote);
  systemCatalogueMetrics(registry, services.systemCatalogue);
  services.systems.calls.register(registry);
  requestLogMetrics(registry, services.requestLog);
  retentionMetrics(registry, services.retention);
  systemChangeMetrics(registry, services.systemChanges);
  services.mcp.register(registry);
  services.jobRuns.register(registry);
  services.availability.counts.register(registry);
}

async function serveApi(
  app: App,
  deps: AppDeps,
  services: Services,
  { registry, repeat }: { registry: Registry; repeat: ReturnType<typeof installRepeats> },
): Promise<void> {
  const { identity, venues, listings, rules, availability, bookings, orders, payments, webhooks } = services;
  const { config, clock, notifications } = deps;
  const limiter = await createRateLimiter({
    limit: config.rateLimit,
    nowMs: () => epochMilliseconds(clock),
    redisUrl: config.redisUrl,
    logger: app.log,
  });
  app.addHook('onClose', () => limiter.close());
  installIdentification(app, identificationOf(services, config), limiter);
  logRequests(app, deps, services);
  registry.registerMetric(installSandboxFaults(app, config));
  const documents = await installOpenApi(app);
  installReadOnlyFields(app);
  installDocs(app, config, documents);
  pageFileRoutes(app);
  homeRoutes(app, config);
  guideRoutes(app, config);
  problemPageRoutes(app, { publicUrl: config.publicUrl });

  identityRoutes(app, identity);
  const answers = createAnswers(notifications);
  repeat({ answers, identity, limiter });
  venueRoutes(app, { venues, answers });
  listingRoutes(app, { listings, answers });
  ruleRoutes(app, rules);
  explainRoutes(app, bookings);
  availabilityRoutes(app, availability);
  findRoutes(app, availability);
  batchRoutes(app, { availability, publicUrl: config.publicUrl });
  bookingRoutes(app, bookings);
  waitlistRoutes(app, services.waitlist);
  waitlistPageRoutes(app, { waitlist: services.waitlist, publicUrl: config.publicUrl });
  holdRoutes(app, bookings);
  mandateRoutes(app, services.mandates);
  orderRoutes(app, orders, config);
  paymentRoutes(app, payments);
  octoRoutes(app, services.octo);
  mcpRoutes(app, services.mcp, config);
  subscriptionRoutes(app, webhooks);
  testRoutes(app, webhooks);
  logRoutes(app, webhooks);
  requestLogRoutes(app, services.requestLog);
  faqRoutes(app, services.faqs);
  mediaRoutes(app, services.media);
  systemChangeRoutes(app, services.systemChanges);
  if (!config.feedBucket) feedRoutes(app, { folder: feedFolder(config) });
  manageApi(app, deps, services);
  consoleRoutes(app, config);
}

/** What operators and the platform do; see `http/manage-route.ts`. */
function manageApi(app: App, deps: AppDeps, services: Services): void {
  auditRoutes(app, services.auditLog);
  catalogueRoutes(app, services.catalogue);
  operatorRoutes(app, services.operators);
  systemRoutes(app, services.systems);
  partnerServiceRoutes(app, services.partners);
  clientRoutes(app, services.clients.clients);
  clientAccessRoutes(app, services.clients.access);
  manageMandateRoutes(app, services.mandates);
  transferRoutes(app, services.transfer);
  sessionRoutes(app, services.accounts, deps);
  userRoutes(app, services.accounts);
  memberRoutes(app, services.accounts);
  operatorInviteRoutes(app, services.accounts);
  platformInviteRoutes(app, services.accounts);
  developerRoutes(app, services.accounts);
  partnerInviteRoutes(app, services.accounts);
  partnerClientRoutes(app, services.clients.ofPartners);
  partnerRuleRoutes(app, services.rules);
  partnerFeedRoutes(app, services.feed);
  const layoutDeps = { ...deps, ...services };
  layoutRoutes(app, createLayout(layoutDeps));
  spaceRoutes(app, { spaces: createSpaces(layoutDeps), overrides: createSpendOverrides(layoutDeps) });
  closureRoutes(app, services.closures);
  operatorRefundRoutes(app, services.payments);
  systemCatalogueRoutes(app, services.systemCatalogue);
  blockRoutes(app, createBlocks({ ...deps, ...services }));
  const marketplaces = createMarketplaces({ ...deps, ...services });
  availabilityRuleRoutes(app, createRuleStorage({ ...deps, ...services, marketplaces }));
  marketplaceRoutes(app, marketplaces);
  manageBookingRoutes(app, createManagedBookings({ ...deps, ...services }));
  manageWaitlistRoutes(app, services.waitlist.managed);
  manageHoldRoutes(app, createManagedHolds({ ...deps, ...services }));
  manageRuleRoutes(app, createManagedRules({ ...deps, ...services }));
  diaryRoutes(app, { diaries: services.diaries, assertAllowed: diaryAccess(services, deps.config) });
  const { webhooks, auditLog, partners } = services;
  const getPartner = (id: number) => partners.partners.get(id);
  managedWebhookRoutes(app, createManagedWebhooks({ webhooks, auditLog, getPartner }));
  manageRequestLogRoutes(app, services.requestLog);
  platformHealthRoutes(app, services.health);
  reportRoutes(app, createReports({ ...deps, ...services }));
  notificationRoutes(app, services.notification);
  manageFaqRoutes(app, services.faqs);
  photoRoutes(app, services.media);
  uploadRoutes(app, services.media);
}

/** What is noted when the last request is answered is written before the node stops. */
function logRequests(app: App, { clock }: AppDeps, { requestLog: { recorder } }: Services): void {
  noteAnsweredCalls(app, () => epochMilliseconds(clock), recorder.note);
  app.addHook('onClose', () => recorder.close());
}

/** Clients are known by their tokens, people by their sessions. */
function identificationOf(
  { identity, accounts, operators, partners }: Services,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Identification {
  return {
    ...identity,
    publicUrl,
    async requireOperator(operatorId) {
      await operators.get(operatorId);
    },
    async requirePartner(partnerId) {
      await partners.partners.get(partnerId);
    },
    resolveActor: async (authorization, partnerReference) =>
      accounts.isSession(authorization)
        ? accounts.resolveSession(authorization)
        : clientActor(await identity.resolveCaller(authorization, partnerReference)),
  };
}

/** A stream lasts longer than a session may: its caller is asked for again. */
function diaryAccess(services: Services, config: Config): DiaryRouteDeps['assertAllowed'] {
  const { resolveActor } = identificationOf(services, config);
  return async ({ headers, params }) => {
    const actor = await resolveActor(credentialOf(headers).authorization, undefined);
    assertRole(actor, partsOfVenueId((params as { venueId: VenueId }).venueId).operatorId, 'staff');
  };
}

/**
 * A node that is about to stop reports it first, so that no load balancer sends it new requests, and keeps its port
 * open until the balancer has looked. Fastify then closes every connection with its next answer.
 */
function reportHealth(
  app: App,
  { config, sql, notifications, clockAheadMs = () => 0 }: AppDeps,
): HealthOptions['isReady'] {
  let isStaying = true;
  app.addHook('preClose', async () => {
    isStaying = false;
    // A node whose start failed has no port that a balancer looks at.
    if (config.drainSeconds > 0 && app.server.listening) await sleep(config.drainSeconds * 1000);
  });
  const hasResources = watchShortage(app, () => canWrite(sql));
  const isReady = async () => ({
    database: await answersInTime(() => ping(sql)),
    writes: (await findInTime(hasResources)) ?? false,
    notifications: notifications.isConnected(),
    clock: judgeClock(clockAheadMs()),
    staying: isStaying,
  });
  healthRoutes(app, { isReady });
  return isReady;
}
