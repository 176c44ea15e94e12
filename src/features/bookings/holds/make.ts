/** Makes holds: everything that can refuse a booking refuses its hold, except what is known only with the guest. */
import { inTransaction, type Tx } from '../../../db/database.ts';
import type { Caller, PartnerIdentity } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/crypto.ts';
import { type ProductId, partsOfVenueId, venueOfProduct } from '../../../kernel/ids.ts';
import { Problem, problem } from '../../../kernel/problem.ts';
import { type LocalConnector, type PlaceRequest, refused, type SystemHold } from '../../../tms/contract.ts';
import type { RemoteConnector } from '../../../tms/remote.ts';
import { type Keep, saveAnswers } from '../../idempotency/service.ts';
import type { Judgement } from '../../mandates/service.ts';
import { partnerOf } from '../access.ts';
import { assertAllowed, assertOpen, getBookableProduct } from '../bookable.ts';
import type { Context } from '../context.ts';
import { type Batcher, createTransactionBatcher, LEFT_OUT, type Result } from '../create/batch.ts';
import { assertSpace, type BookableProduct, readStay } from '../create/draft.ts';
import { valueIn } from '../create/holding.ts';
import { assertMandatedStay, judgeMandated } from '../create/mandated.ts';
import { namingAlternatives, timeFirst } from '../create/time-first.ts';
import { isCurrent, type VenueVersion } from '../create/venue-version-store.ts';
import { retryOnStaleVenue, StaleVenue, venueVersionOf } from '../create/version-check.ts';
import { refusalOf } from '../refusals.ts';
import { newCall } from '../remote/claim.ts';
import { type DraftStay, requestOf, stayOf } from '../system-request.ts';
import { assertBelowLimit, beyondLimit, roomBelowLimit } from './limit.ts';
import type { HoldRecord } from './record.ts';
import type { Hold, HoldBody } from './schema.ts';
import { insertHolds, openHold, removeHold } from './store.ts';
import { assertRuled, factsOfHold, type HoldProspect, termsOf } from './terms.ts';
import { holdView, type OfferSigner, signed } from './view.ts';

export interface NewHold {
  productId: ProductId;
  body: Omit<HoldBody, 'ttlSeconds'>;
  ttlSeconds: number;
  idempotencyKey?: string | undefined;
  /** Called in the transaction that makes the hold. */
  written?: (tx: Tx, hold: HoldRecord) => Promise<void>;
  /** It is an offer, which the guest answers: the client's mandate asks for no confirmation. */
  isOffer?: boolean;
}

/** Places of the same moment at systems in our database are held in one transaction. */
export interface HoldContext extends Context {
  holdLocally: HoldLocally;
}

export function makeHold(context: HoldContext, caller: Caller, asked: NewHold): Promise<Hold> {
  const { productId, body, ttlSeconds, idempotencyKey: key } = asked;
  const content = { hold: productId, partner: partnerOf(caller).id, body, ttlSeconds };
  return context.idempotency.once<Hold>({ clientId: caller.clientId, key, content }, (keep) =>
    retryOnStaleVenue(context, [venueOfProduct(productId)], async () => {
      const plan = await planHold(context, caller, asked);
      const sign = await context.offers.signer();
      const { bookable, stay } = plan;
      const hold = await namingAlternatives(context, caller, { bookable, stay, type: 'book' }, () =>
        placeHold(context, plan, { asked, sign, keep }),
      );
      context.holdCounts.add('made');
      return hold;
    }),
  );
}

interface HoldPlan {
  id: string;
  clientId: string;
  partner: PartnerIdentity;
  bookable: BookableProduct;
  stay: DraftStay;
  prospect: HoldProspect;
  request: PlaceRequest;
  version: VenueVersion;
  mandate: Judgement | null;
  now: Temporal.Instant;
}

interface Placing {
  asked: NewHold;
  sign: OfferSigner;
  keep: Keep<Hold>;
}

async function planHold(
  context: Context,
  caller: Caller,
  { productId, body, isOffer = false }: NewHold,
): Promise<HoldPlan> {
  const partner = partnerOf(caller);
  const bookable = await getBookableProduct(context, caller, productId);
  assertCanHold(bookable);
  const stay = readStay(body, bookable);
  await assertMandatedStay(context, caller, bookable, stay);
  return timeFirst(context, caller, { bookable, stay, type: 'book' }, async () => {
    await assertOpen(context, caller, bookable, stay);
    if (stay.spaceId !== null) assertSpace(stay.spaceId, bookable);
    const now = nowOf(context.clock);
    const nowMs = now.epochMilliseconds;
    const asked = { bookable, stay, partner, nowMs };
    const { version: rulesVersion, ...rules } = await context.rules.keep(factsOfHold(asked));
    const prospect = assertRuled(asked, rules);
    const blockedSpaceIds = assertAllowed(context, caller, bookable, { ...stay, type: 'book' });
    const id = newId(context.clock);
    const mandate = await judgeMandated(context, caller, {
      ...{ bookingId: id, bookable, stay, depositPence: prospect.depositPence },
      confirmationToken: body.confirmationToken,
      needsNoConfirmation: isOffer,
    });
    return {
      ...{ id, clientId: caller.clientId, partner, bookable, stay, prospect, mandate, now },
      request: requestOf(id, bookable, stay, { blockedSpaceIds, nowMs }),
      version: venueVersionOf({ bookable, rulesVersion, mandate }, partner.id),
    };
  });
}

export function assertCanHold({ venue, connector }: BookableProduct): void {
  if (!connector.holds)
    throw problem('HOLD-N-005', {
      detail: `${venue.name} is run with ${connector.slug}, which cannot keep a place.`,
    });
}

const admissionOf = ({ id, mandate }: HoldPlan) => ({ bookingId: id, judgement: mandate });

function placeHold(context: HoldContext, plan: HoldPlan, placing: Placing): Promise<Hold> {
  const { connector } = plan.bookable;
  return connector.flavour === 'local'
    ? context.holdLocally({ plan, placing, connector })
    : holdRemotely(context, plan, connector, placing);
}

type Deps = Pick<Context, 'sql' | 'clock' | 'holdCounts' | 'mandates'>;

interface LocalHold {
  plan: HoldPlan;
  placing: Placing;
  connector: LocalConnector;
}

export type HoldLocally = (hold: LocalHold) => Promise<Hold>;

export function createHoldBatcher(deps: Deps): HoldLocally {
  const batchers = new Map<LocalConnector, Batcher<LocalHold, Hold>>();
  const batcherFor = (connector: LocalConnector) =>
    createTransactionBatcher<LocalHold, Hold>(deps.sql, (tx, asked) =>
      holdInTransaction(tx, deps, connector, asked),
    );
  return (hold) => {
    const batcher = batchers.getOrInsertComputed(hold.connector, batcherFor);
    // What else is written with it may fail, and only it should then.
    return hold.placing.asked.written ? batcher.alone(hold) : batcher.inBatch(hold);
  };
}

/** Places and holds are written together. */
async function holdInTransaction(
  tx: Tx,
  deps: Deps,
  connector: LocalConnector,
  asked: readonly LocalHold[],
): Promise<(Result<Hold> | typeof LEFT_OUT)[]> {
  const results = new Map<LocalHold, Result<Hold> | typeof LEFT_OUT>();
  const admitted = await deps.mandates.admit(
    tx,
    asked.map(({ plan }) => admissionOf(plan)),
  );
  const rooms = await roomBelowLimit(
    tx,
    deps,
    asked.map(({ plan }) => ({ partnerId: plan.partner.id, venueId: plan.bookable.venue.id })),
  );
  for (const [index, hold] of asked.entries()) {
    const room = admitted[index];
    if (room instanceof Problem) results.set(hold, { error: room });
    else if (room !== 'yes') results.set(hold, LEFT_OUT);
    if (results.has(hold)) continue;
    if (rooms[index] === 'none') results.set(hold, { error: beyondLimit(deps) });
    if (rooms[index] === 'unsure') results.set(hold, LEFT_OUT);
  }
  const allowed = asked.filter((hold) => !results.has(hold));
  const requests = allowed.map(({ plan, placing }) => ({
    request: plan.request,
    untilMs: untilOf(plan, placing.asked).epochMilliseconds,
  }));
  const outcomes = (await connector.holds?.holdAll(tx, requests)) ?? [];
  const made: MadeHold[] = [];
  for (const [index, hold] of allowed.entries()) {
    const outcome = outcomes[index] ?? refused('hold-ended');
    if (outcome.kind === 'ok')
      made.push({ ...hold, record: recordOf(hold.plan, hold.placing.asked, outcome.value) });
    else results.set(hold, { error: refusalOf(outcome, connector.capabilities.capability) });
  }
  const views = await writeHolds(tx, made);
  const byId = new Map(views.map((view) => [view.id, view]));
  return asked.map((hold) => results.get(hold) ?? { value: byId.get(hold.plan.id) as Hold });
}

interface MadeHold {
  plan: HoldPlan;
  placing: Placing;
  record: HoldRecord;
}

async function writeHolds(tx: Tx, made: readonly MadeHold[]): Promise<Hold[]> {
  if (made.length === 0) return [];
  const offered = await Promise.all(
    made.map(async (each) => ({ ...each, record: await signed(each.record, each.placing.sign) })),
  );
  const rows = offered.map(({ plan, record }) => ({ hold: record, version: plan.version }));
  const written = await insertHolds(tx, rows);
  if (written.size < made.length) throw new StaleVenue();
  return finish(tx, offered);
}

/**
 * The hold is written before the system is asked, so that it counts, and becomes visible once the system has said yes.
 * What a crash leaves, here or there, ends by clock.
 */
async function holdRemotely(
  context: Context,
  plan: HoldPlan,
  connector: RemoteConnector,
  placing: Placing,
): Promise<Hold> {
  const { sql } = context;
  const { asked } = placing;
  const venueId = plan.bookable.venue.id;
  await inTransaction(sql, async (tx) => {
    await context.mandates.assertAdmitted(tx, [admissionOf(plan)]);
    await assertBelowLimit(tx, context, { partnerId: plan.partner.id, venueId });
    const written = await insertHolds(tx, [{ hold: recordOf(plan, asked), version: plan.version }]);
    if (written.size === 0) throw new StaleVenue();
  });
  const untilMs = untilOf(plan, asked).epochMilliseconds;
  const outcome = await connector.holds?.hold(newCall(venueId), plan.request, untilMs);
  try {
    const record = await signed(recordOf(plan, asked, valueIn(connector, outcome)), placing.sign);
    return await inTransaction(sql, async (tx) => {
      if (!(await openHold(tx, record)) || !(await isCurrent(tx, plan.version))) throw new StaleVenue();
      const [hold] = await finish(tx, [{ plan, placing, record }]);
      return hold as Hold;
    });
  } catch (error) {
    // It may be held there all the same; what cannot be released now ends by itself.
    if (outcome?.kind !== 'refused') await connector.holds?.release(newCall(venueId), plan.id);
    await removeHold(sql, plan.id);
    throw error;
  }
}

/** What else belongs to them, and the answers that are kept. */
async function finish(tx: Tx, made: readonly MadeHold[]): Promise<Hold[]> {
  for (const { record, placing } of made) await placing.asked.written?.(tx, record);
  const views = made.map(({ record }) => holdView(record, record.createdAt));
  const answers = made.flatMap(({ placing }, index) => placing.keep.answerOf?.(views[index] as Hold) ?? []);
  await saveAnswers(tx, answers);
  return views;
}

const untilOf = ({ now }: HoldPlan, { ttlSeconds }: NewHold) => now.add({ seconds: ttlSeconds });

/** `held`: what the system of the venue has said; absent: it is still to be asked. */
function recordOf(plan: HoldPlan, asked: NewHold, held?: SystemHold): HoldRecord {
  const { id, clientId, partner, bookable, stay, prospect, now } = plan;
  const { venue, product } = bookable;
  const nowMs = now.epochMilliseconds;
  const until = untilOf(plan, asked);
  return {
    id,
    partnerId: partner.id,
    clientId,
    operatorId: partsOfVenueId(venue.id).operatorId,
    venueId: venue.id,
    timeZone: venue.timeZone,
    productId: product.id,
    ...stayOf(stay),
    durationMinutes: held?.durationMinutes ?? null,
    state: held ? 'open' : 'placing',
    terms: termsOf({ bookable, stay, partner, nowMs }, prospect, held),
    offerToken: null,
    isExtended: false,
    createdAt: now,
    // A system that keeps places for longer than it was asked to does not lengthen the hold.
    expiresAt: held ? earlier(until, Temporal.Instant.fromEpochMilliseconds(held.expiresMs)) : until,
  };
}

const earlier = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? a : b);
