/** Makes holds: everything that can refuse a booking refuses its hold, except what is known only with the guest. */
import { inContestedTransaction, inTransaction, type Tx } from '../../../db/database.ts';
import type { Caller, PartnerIdentity } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/crypto.ts';
import { type ProductId, partsOfVenueId, venueOfProduct } from '../../../kernel/ids.ts';
import { problem } from '../../../kernel/problem.ts';
import type { LocalConnector, PlaceRequest, SystemHold } from '../../../tms/contract.ts';
import type { RemoteConnector } from '../../../tms/remote.ts';
import type { Keep } from '../../idempotency/service.ts';
import { partnerOf } from '../access.ts';
import { assertAllowed, assertOpen, getBookableProduct } from '../bookable.ts';
import type { Context } from '../context.ts';
import { assertSpace, type BookableProduct, readStay } from '../create/draft.ts';
import { valueIn } from '../create/holding.ts';
import { namingAlternatives, timeFirst } from '../create/time-first.ts';
import { isCurrent, type VenueVersion } from '../create/venue-version-store.ts';
import { retryOnStaleVenue, StaleVenue, venueVersionOf } from '../create/version-check.ts';
import { newCall } from '../remote/claim.ts';
import { type DraftStay, requestOf, stayOf } from '../system-request.ts';
import type { HoldRecord } from './record.ts';
import type { Hold, HoldBody } from './schema.ts';
import { countOpenHolds, type HolderAt, insertHolds, lockCounts, openHold, removePlacing } from './store.ts';
import { assertRuled, factsOfHold, type HoldProspect, termsOf } from './terms.ts';
import { type OfferSigner, viewSigned } from './view.ts';

export const MOST_OPEN_HOLDS = 20;

export interface NewHold {
  productId: ProductId;
  body: Omit<HoldBody, 'ttlSeconds'>;
  ttlSeconds: number;
  idempotencyKey?: string | undefined;
  /** False: it does not count towards the limit of the partner at the venue. */
  isCounted?: boolean;
  /** Called in the transaction that makes the hold. */
  written?: (tx: Tx, hold: HoldRecord) => Promise<void>;
}

export function makeHold(context: Context, caller: Caller, asked: NewHold): Promise<Hold> {
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
  now: Temporal.Instant;
}

interface Placing {
  asked: NewHold;
  sign: OfferSigner;
  keep: Keep<Hold>;
}

async function planHold(context: Context, caller: Caller, { productId, body }: NewHold): Promise<HoldPlan> {
  const partner = partnerOf(caller);
  const bookable = await getBookableProduct(context, caller, productId);
  assertCanHold(bookable);
  const stay = readStay(body, bookable);
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
    return {
      ...{ id, clientId: caller.clientId, partner, bookable, stay, prospect, now },
      request: requestOf(id, bookable, stay, { blockedSpaceIds, nowMs }),
      version: venueVersionOf({ bookable, rulesVersion }, partner.id),
    };
  });
}

function assertCanHold({ venue, connector }: BookableProduct): void {
  if (!connector.holds)
    throw problem('HOLD-N-005', {
      detail: `${venue.name} is run with ${connector.slug}, which cannot keep a place.`,
    });
}

function placeHold(context: Context, plan: HoldPlan, placing: Placing): Promise<Hold> {
  const { connector } = plan.bookable;
  return connector.flavour === 'local'
    ? holdLocally(context, plan, connector, placing)
    : holdRemotely(context, plan, connector, placing);
}

/** The place and the hold are written in one transaction. */
function holdLocally(
  context: Context,
  plan: HoldPlan,
  connector: LocalConnector,
  placing: Placing,
): Promise<Hold> {
  const { asked } = placing;
  const untilMs = untilOf(plan, asked).epochMilliseconds;
  return inContestedTransaction(context.sql, async (tx) => {
    await assertMayHold(tx, context, plan, asked);
    const outcome = await connector.holds?.hold(tx, plan.request, untilMs);
    const hold = recordOf(plan, asked, valueIn(connector, outcome));
    await insertOne(tx, plan, hold);
    return finish(tx, hold, placing);
  });
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
    await assertMayHold(tx, context, plan, asked);
    await insertOne(tx, plan, recordOf(plan, asked));
  });
  const untilMs = untilOf(plan, asked).epochMilliseconds;
  const outcome = await connector.holds?.hold(newCall(venueId), plan.request, untilMs);
  try {
    const hold = recordOf(plan, asked, valueIn(connector, outcome));
    return await inTransaction(sql, async (tx) => {
      if (!(await openHold(tx, hold)) || !(await isCurrent(tx, plan.version))) throw new StaleVenue();
      return finish(tx, hold, placing);
    });
  } catch (error) {
    // It may be held there all the same; what cannot be released now ends by itself.
    if (outcome?.kind !== 'refused') await connector.holds?.release(newCall(venueId), plan.id);
    await removePlacing(sql, plan.id);
    throw error;
  }
}

async function insertOne(tx: Tx, { version }: HoldPlan, hold: HoldRecord): Promise<void> {
  const written = await insertHolds(tx, [{ hold, version }]);
  if (!written.has(hold.id)) throw new StaleVenue();
}

async function finish(tx: Tx, hold: HoldRecord, { asked, sign, keep }: Placing): Promise<Hold> {
  await asked.written?.(tx, hold);
  const view = await viewSigned(hold, hold.createdAt, sign);
  await keep(tx, view);
  return view;
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
    isCounted: asked.isCounted ?? true,
    isExtended: false,
    createdAt: now,
    // A system that keeps places for longer than it was asked to does not lengthen the hold.
    expiresAt: held ? earlier(until, Temporal.Instant.fromEpochMilliseconds(held.expiresMs)) : until,
  };
}

const earlier = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? a : b);

async function assertMayHold(
  tx: Tx,
  context: Context,
  plan: HoldPlan,
  { isCounted = true }: NewHold,
): Promise<void> {
  if (!isCounted) return;
  await assertBelowLimit(tx, context, { partnerId: plan.partner.id, venueId: plan.bookable.venue.id });
}

/** Counted under a lock: two requests at once do not pass the limit together. */
export async function assertBelowLimit(
  tx: Tx,
  { clock, holdCounts }: Pick<Context, 'clock' | 'holdCounts'>,
  holder: HolderAt,
): Promise<void> {
  await lockCounts(tx, [holder]);
  if ((await countOpenHolds(tx, holder, nowOf(clock))) < MOST_OPEN_HOLDS) return;
  holdCounts.add('refused');
  throw problem('HOLD-N-004', {
    detail: `You have ${MOST_OPEN_HOLDS} open holds at this venue, which is as many as a partner may have.`,
  });
}
