import type { Caller } from '../../http/caller.ts';
import { remember } from '../../http/remember.ts';
import { checkerOf } from '../../http/validation.ts';
import { parseProductId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { type AvailabilityRequest, Wanted } from './batch-schema.ts';
import type { Availability } from './schema.ts';
import type { AvailabilityService, BatchQuestion } from './service.ts';

export interface BatchAnswer {
  compositeId: string;
  /** A problem with one entry leaves the others alone. */
  outcome: Availability | Problem;
}

/** The answers to a request, in the order of its entries. */
export function answersTo(
  request: AvailabilityRequest,
  caller: Caller,
  availability: AvailabilityService,
): Promise<BatchAnswer[]> {
  const ask = availability.batch(caller);
  return Promise.all(
    request.bookableProducts.map(async (entry) => {
      const { compositeId } = entry;
      try {
        return { compositeId, outcome: await ask(questionOf(entry, request)) };
      } catch (error) {
        if (error instanceof Problem) return { compositeId, outcome: error };
        throw error;
      }
    }),
  );
}

const checkWanted = checkerOf(Wanted);
const WANTED_BYTES = 2 * 1024 ** 2;
/** Entries of one request mostly want the same, and so do those of the next. */
const wantedIn = remember(WANTED_BYTES, (json) => checkWanted(JSON.parse(json)));

function questionOf(
  entry: AvailabilityRequest['bookableProducts'][number],
  request: AvailabilityRequest,
): BatchQuestion {
  const productId = parseProductId(entry.compositeId);
  const date = entry.date ?? request.date ?? undefined;
  const quantity = entry.quantity ?? request.quantity ?? undefined;
  const time = entry.time ?? request.time ?? undefined;
  return { productId, ...wantedIn(JSON.stringify({ date, quantity, time })) };
}
