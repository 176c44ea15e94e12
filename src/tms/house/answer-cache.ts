import { ReadCache } from '../../db/read-cache.ts';
import { estimateBytes } from '../../kernel/estimate-bytes.ts';
import { MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { AvailabilityQuery, ProductAvailability } from '../contract.ts';
import type { HouseProduct } from './book.ts';
import type { LiveState } from './slots.ts';
import { liveBytes } from './stay-cache.ts';

interface Answered {
  product: HouseProduct;
  live: LiveState;
  answer: ProductAvailability;
}

/**
 * Answers worked out lately. One is given again, as the very same object, only to the same question on the same
 * configuration and the same stays: those two are known to hold, since the database was asked in this call. The zone
 * is part of the question, because whoever asks may have heard of a new one later than the configuration was read.
 * Notice and horizon end on whole minutes, so that within one the clock changes nothing.
 */
export function createAnswerCache() {
  const answers = new ReadCache<Answered>('house_answers', () => true);
  return (
    query: AvailabilityQuery,
    product: HouseProduct,
    live: LiveState,
    workOut: () => ProductAvailability,
  ): ProductAvailability => {
    const question = questionOf(query);
    const known = answers.get(question);
    const holds =
      known?.product === product &&
      known.live.stays === live.stays &&
      known.live.guestsByStartMs === live.guestsByStartMs;
    if (known && holds) return known.answer;
    const answer = workOut();
    const bytes = estimateBytes(answer) + liveBytes(live);
    answers.keep(answers.beginRead(), question, { product, live, answer }, bytes, []);
    return answer;
  };
}

function questionOf({
  productId,
  zone,
  dates,
  adults,
  children,
  durationMinutes,
  nowMs,
}: AvailabilityQuery): string {
  const minute = Math.ceil(nowMs / MS_PER_MINUTE);
  return `${productId} ${zone} ${dates.join()} ${adults + children} ${durationMinutes ?? ''} ${minute}`;
}
