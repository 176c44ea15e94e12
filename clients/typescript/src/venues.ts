import { type NumberedPage, nextNumber, numberedPages, Pages } from './pages.ts';
import { type CallOptions, path, type Transport } from './transport.ts';
import type {
  Availability,
  AvailabilityRequest,
  AvailabilityResults,
  BookingRules,
  Category,
  CategoryList,
  FoundTables,
  GetAvailabilityQuery,
  ListBookingRulesQuery,
  ListedVenue,
  ListedVenuePage,
  ListingGroup,
  ListingPage,
  ListListingsQuery,
  ListVenuesQuery,
  PageMeta,
  RulesAnswer,
  RulesQuestion,
  SiteFaq,
  TableQuestion,
  Venue,
} from './types.ts';

/** What `fields` leaves of an answer: any member may be absent. */
export type Selected<T> = T extends (infer Entry)[]
  ? Selected<Entry>[]
  : T extends object
    ? { [Name in keyof T]?: Selected<T[Name]> }
    : T;

/** A query without `fields`, and one with them: they decide the type of the answer. */
export type Whole<T> = T & { fields?: undefined };
export type WithFields<T> = T & { fields: string };

export class Venues {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The venues that you may sell.
   *
   * @example
   * for await (const venue of maitred.venues.list({ city: 'London', features: ['restaurant'] })) {
   *   console.log(venue.id, venue.name);
   * }
   */
  list(query?: Whole<ListVenuesQuery>, options?: CallOptions): Pages<ListedVenue, ListedVenuePage>;
  list(
    query: WithFields<ListVenuesQuery>,
    options?: CallOptions,
  ): Pages<Selected<ListedVenue>, NumberedPage<Selected<ListedVenue>>>;
  list(query?: ListVenuesQuery, options?: CallOptions): unknown {
    return numberedPages<ListedVenue, ListedVenuePage>(this.#transport, '/venues', query, options);
  }

  /**
   * A venue with its products. With `fields` only what you name.
   *
   * @example
   * const venue = await maitred.venues.get('1|house|soho-grill', { fields: 'name,products(compositeId,feedUrl)' });
   * for (const product of venue.products ?? []) console.log(product.compositeId, product.feedUrl);
   */
  get(venueId: string, query?: { fields?: undefined }, options?: CallOptions): Promise<Venue>;
  get(venueId: string, query: { fields: string }, options?: CallOptions): Promise<Selected<Venue>>;
  get(venueId: string, query?: { fields?: string | undefined }, options?: CallOptions): Promise<unknown> {
    return this.#transport.body({
      ...options,
      method: 'GET',
      path: path`/venues/${venueId}`,
      query,
      isRepeatable: true,
    });
  }

  /**
   * The kinds of venues there are; their slugs go into `features`.
   *
   * @example
   * const categories = await maitred.venues.categories();
   * console.log(categories.length);
   */
  async categories(options?: CallOptions): Promise<Category[]> {
    const call = { ...options, method: 'GET', path: '/venues/category', isRepeatable: true };
    return (await this.#transport.body<CategoryList>(call)).data;
  }

  /**
   * Questions that guests ask about a venue, with answers.
   *
   * @example
   * const faqs = await maitred.venues.siteFaqs('1|house|soho-grill');
   * console.log(faqs.length);
   */
  siteFaqs(venueId: string, options?: CallOptions): Promise<SiteFaq[]> {
    return this.#transport.body({
      ...options,
      method: 'GET',
      path: path`/venues/${venueId}/site-faqs`,
      isRepeatable: true,
    });
  }
}

export class Availabilities {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The starts that can be had of a product at this moment.
   *
   * @example
   * const { times } = await maitred.availability.get('1|house|soho-grill|dinner', { date: day, partySize: 2 });
   * for (const { time, type } of times) console.log(time, type);
   */
  get(compositeId: string, query: Whole<GetAvailabilityQuery>, options?: CallOptions): Promise<Availability>;
  get(
    compositeId: string,
    query: WithFields<GetAvailabilityQuery>,
    options?: CallOptions,
  ): Promise<Selected<Availability>>;
  get(compositeId: string, query: GetAvailabilityQuery, options?: CallOptions): Promise<unknown> {
    return this.#transport.body({
      ...options,
      method: 'GET',
      path: path`/venues/${compositeId}/availability`,
      query,
      isRepeatable: true,
    });
  }

  /**
   * The tables over many venues that come closest to what is asked for.
   *
   * @example
   * const { tables } = await maitred.availability.findTables({ date: day, time: '19:30', partySize: 2, city: 'London' });
   * for (const table of tables) console.log(table.venue, table.time);
   */
  findTables(question: TableQuestion, options?: CallOptions): Promise<FoundTables> {
    return this.#transport.body({
      ...options,
      method: 'POST',
      path: '/venues/find-tables',
      body: question,
      isRepeatable: true,
    });
  }

  /**
   * Availability of up to a hundred products and ticket types with one call.
   *
   * @example
   * const { results } = await maitred.availability.check({
   *   date: day,
   *   quantity: 2,
   *   bookableProducts: [{ compositeId: '1|house|soho-grill|dinner' }],
   * });
   * for (const result of results) console.log('error' in result ? result.error.code : result.availability.times.length);
   */
  check(request: AvailabilityRequest, options?: CallOptions): Promise<AvailabilityResults> {
    return this.#transport.body({
      ...options,
      method: 'POST',
      path: '/v1/availabilities',
      body: request,
      isRepeatable: true,
    });
  }
}

export class Listings {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * What can be sold, by venue: tables and tickets of events.
   *
   * @example
   * const groups = await maitred.listings.list({ capability: 'event_ticket' }).all(5);
   * console.log(groups.length);
   */
  list(query?: Whole<ListListingsQuery>, options?: CallOptions): Pages<ListingGroup, ListingPage>;
  list(
    query: WithFields<ListListingsQuery>,
    options?: CallOptions,
  ): Pages<Selected<ListingGroup>, { meta: PageMeta; listings: Selected<ListingGroup>[] }>;
  list(query?: ListListingsQuery, options?: CallOptions): unknown {
    return new Pages<ListingGroup, ListingPage>({
      fetch: (position) =>
        this.#transport.body<ListingPage>({
          ...options,
          method: 'GET',
          path: '/v1/listings',
          query: { ...query, ...position },
          isRepeatable: true,
        }),
      itemsOf: (page) => page.listings,
      next: (page) => nextNumber(page.meta),
    });
  }
}

export class Rules {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The rules of operators that concern you, each with a sentence.
   *
   * @example
   * const { rules } = await maitred.bookingRules.list({ venueId: '1|house|soho-grill' });
   * console.log(rules.length);
   */
  list(query?: ListBookingRulesQuery, options?: CallOptions): Promise<BookingRules> {
    return this.#transport.body({
      ...options,
      method: 'GET',
      path: '/booking-rules',
      query,
      isRepeatable: true,
    });
  }

  /**
   * What the rules say about a booking that is not made.
   *
   * @example
   * const answer = await maitred.bookingRules.explain({
   *   compositeId: '1|house|soho-grill|dinner',
   *   booking: { date: day, time: '19:30', partySize: 2 },
   * });
   * console.log(answer);
   */
  explain(question: RulesQuestion, options?: CallOptions): Promise<RulesAnswer> {
    return this.#transport.body({
      ...options,
      method: 'POST',
      path: '/booking-rules/explain',
      body: question,
      isRepeatable: true,
    });
  }
}
