/** What a feed and live availability say about the same starts, in the same words, and where they differ. */
import type { Json } from './support.ts';

/** One slot in one area, as text that is equal for equal offers. */
type Offered = string;

const offered = (slot: Json): Offered =>
  JSON.stringify([
    slot.dateTime,
    slot.time,
    slot.type,
    slot.reason ?? null,
    slot.durations,
    slot.spaceId,
    slot.deposit,
    slot.productId,
  ]);

export function offeredByFeed(shard: Json | undefined, partySize: number): Offered[] {
  const slots = (shard?.slots ?? []).filter((slot: Json) => slot.party_size === partySize);
  return slots
    .map((slot: Json) =>
      offered({
        dateTime: slot.date_time,
        time: slot.time,
        type: slot.type,
        reason: slot.request_reason,
        durations: [slot.duration_minutes, slot.min_duration, slot.max_duration, slot.duration_interval],
        spaceId: slot.space_id,
        deposit: slot.deposit && [slot.deposit.amount, slot.deposit.currency_code, slot.deposit.amount_per],
        productId: slot.service_id,
      }),
    )
    .sort();
}

/** Of an answer about one day: one for each start, or for each area that it can be had in. */
export function offeredLive({ times, deposit }: Json): Offered[] {
  return times
    .flatMap((slot: Json) => {
      const ids = slot.product.spaces.map(({ id }: { id: number }) => id);
      return (ids.length === 0 ? [null] : ids).map((spaceId: number | null) =>
        offered({
          dateTime: slot.dateTime,
          time: slot.time,
          type: slot.type,
          reason: slot.requestReason,
          durations: [slot.duration, slot.minDuration, slot.maxDuration, slot.durationInterval],
          spaceId,
          deposit: deposit && [deposit.amount, deposit.currency, deposit.per],
          productId: slot.productId,
        }),
      );
    })
    .sort();
}

/** Sentences about what one of them offers and the other does not. */
export function differences(feed: readonly Offered[], live: readonly Offered[]): string[] {
  const [inFeed, inLive] = [new Set(feed), new Set(live)];
  return [
    ...feed.filter((slot) => !inLive.has(slot)).map((slot) => `only in the feed: ${slot}`),
    ...live.filter((slot) => !inFeed.has(slot)).map((slot) => `only live: ${slot}`),
    ...(feed.length === inFeed.size ? [] : ['twice in the feed']),
  ];
}
