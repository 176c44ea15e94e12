import type { CallOptions, Query, Transport } from './transport.ts';
import type { PageMeta } from './types.ts';

/**
 * A list that is read page by page, as far as you go. Iterate over it for its entries.
 *
 * @example
 * for await (const venue of maitred.venues.list({ city: 'London' })) console.log(venue.name);
 */
export class Pages<Item, Page> implements AsyncIterable<Item> {
  readonly #fetch: (position: Position) => Promise<Page>;
  readonly #itemsOf: (page: Page) => Item[];
  readonly #next: (page: Page) => Position | undefined;

  /** @internal */
  constructor(parts: {
    fetch: (position: Position) => Promise<Page>;
    itemsOf: (page: Page) => Item[];
    next: (page: Page) => Position | undefined;
  }) {
    this.#fetch = parts.fetch;
    this.#itemsOf = parts.itemsOf;
    this.#next = parts.next;
  }

  /**
   * The first page as the service sends it, with `meta`.
   *
   * @example
   * const { meta } = await maitred.venues.list({ city: 'London', pageSize: 1 }).first();
   * console.log(`${meta.totalItems} venues`);
   */
  first(): Promise<Page> {
    return this.#fetch({});
  }

  /**
   * Whole pages, one after the other.
   *
   * @example
   * for await (const { data, meta } of maitred.venues.list({ pageSize: 5 }).pages()) {
   *   console.log(`page ${meta.currentPage} of ${meta.totalPages}: ${data.length}`);
   * }
   */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let position: Position | undefined = {};
    while (position) {
      const page: Page = await this.#fetch(position);
      yield page;
      position = this.#next(page);
    }
  }

  /**
   * All entries in an array, or the first `limit` of them.
   *
   * @example
   * const venues = await maitred.venues.list({ city: 'London' }).all(10);
   * console.log(venues.map((venue) => venue.name));
   */
  async all(limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }
}

/** What is added to the query for a page. */
export type Position = { pageNumber?: number; cursor?: string };

/** The position after a page with numbers; the last one has none after it. */
export function nextNumber(meta: PageMeta): Position | undefined {
  return meta.currentPage < meta.totalPages ? { pageNumber: meta.currentPage + 1 } : undefined;
}

export interface NumberedPage<Entry> {
  data: Entry[];
  meta: PageMeta;
}

/** A list with page numbers whose entries are in `data`. */
export function numberedPages<Entry, Page extends NumberedPage<Entry>>(
  ...list: ListArguments
): Pages<Entry, Page> {
  return pagesOf(list, ({ meta }) => nextNumber(meta));
}

/** A list with cursors whose entries are in `data`. */
export function cursorPages<Entry, Page extends { data: Entry[]; meta: { nextCursor: string | null } }>(
  ...list: ListArguments
): Pages<Entry, Page> {
  return pagesOf(list, ({ meta }) => (meta.nextCursor === null ? undefined : { cursor: meta.nextCursor }));
}

type ListArguments = [
  transport: Transport,
  path: string,
  query: Query | undefined,
  options: CallOptions | undefined,
];

function pagesOf<Entry, Page extends { data: Entry[] }>(
  [transport, path, query, options]: ListArguments,
  next: (page: Page) => Position | undefined,
): Pages<Entry, Page> {
  return new Pages({
    fetch: (position) =>
      transport.body<Page>({
        ...{ ...options, method: 'GET', path, isRepeatable: true },
        query: { ...query, ...position },
      }),
    itemsOf: (page) => page.data,
    next,
  });
}
