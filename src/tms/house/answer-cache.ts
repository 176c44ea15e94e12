import { ReadCache } from '../../db/read-cache.ts';
import { estimateBytes } from '../../kernel/estimate-bytes.ts';
import { MS_PER_MINUTE } from '../../kernel/zone-time.ts';
import type { AvailabilityQuery, ProductAvailability } from '../contract.ts';
import type { HouseProduct } from './book.ts';
import { countsTheSame, type HoldingState } from './holds/held.ts';
import { liveBytes } from './stay-cache.ts';

interface Answered {
  product: HouseProduct;
  live: HoldingState;
  answer: ProductAvailability;
  nowMs: number;
}

/**
 * A cache of computed answers. An answer is reused, as the same object, only for the same query on the same
 * configuration and the same stays: both are known to be current, since this call has asked the database. The time
 * zone is part of the key, because the caller may learn of a new one later than the configuration was read. Notice
 * and horizon end on whole minutes, so that within one the clock changes nothing but which holds have ended.
 */
export function createAnswerCache() {
  const answers = new ReadCache<Answered>('house_answers', () => true);
  return (
    query: AvailabilityQuery,
    product: HouseProduct,
    live: HoldingState,
    workOut: () => ProductAvailability,
  ): ProductAvailability => {
    const question = questionOf(query);
    const known = answers.get(question);
    const isCurrent =
      known?.product === product &&
      known.live.stays === live.stays &&
      known.live.guestsByStartMs === live.guestsByStartMs &&
      countsTheSame(live.holds, known.nowMs, query.nowMs);
    if (known && isCurrent) return known.answer;
    const answer = workOut();
    const bytes = estimateBytes(answer) + liveBytes(live);
    answers.keep(answers.beginRead(), question, { product, live, answer, nowMs: query.nowMs }, bytes, []);
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
