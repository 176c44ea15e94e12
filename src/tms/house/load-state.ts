import type { Tx } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { type Outcome, ok, refused } from '../contract.ts';
import type { HouseBook, HouseProduct } from './book.ts';
import type { ConfigCache } from './config-cache.ts';
import type { MarkedState, Window } from './store.ts';

const ATTEMPTS = 5;

/** What is to be decided, and the live state it takes. */
export interface Plan {
  range: Pick<Window, 'fromMs' | 'toMs'>;
}

export interface LoadedState<P extends Plan> {
  book: HouseBook;
  plan: P;
  live: MarkedState;
}

interface LoadOptions<P extends Plan> {
  ids: { venueId: VenueId; productId: ProductId };
  planFor(product: HouseProduct): Outcome<P>;
  /** Where live state comes from. */
  read(tx: Tx, window: Window): Promise<MarkedState | undefined>;
}

/**
 * A plan and the live state for it, both of the same configuration: when the venue turns out to have changed
 * since its book was kept, the book is read again and the plan made anew. What an outdated book would refuse is
 * not refused before a fresh one agrees.
 */
export async function loadState<P extends Plan>(
  tx: Tx,
  configs: ConfigCache,
  { ids, planFor, read }: LoadOptions<P>,
): Promise<Outcome<LoadedState<P>>> {
  let book = configs.kept(ids.venueId);
  let isFresh = false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const product = book?.products.get(ids.productId);
    const planned = product ? planFor(product) : refused('no-such-product');
    if (book && product && planned.kind === 'ok') {
      const plan = planned.value;
      const { venueId, productId } = ids;
      const isPaced = product.coversPerStart !== null;
      const window = { ...plan.range, venueId, productId, isPaced };
      const live = await read(tx, window);
      if (live?.version === book.version) return ok({ book, plan, live });
    } else if (isFresh && planned.kind !== 'ok') {
      return planned;
    }
    book = await configs.load(tx, ids.venueId);
    isFresh = true;
  }
  return { kind: 'unavailable', detail: 'The venue is being changed again and again.' };
}
