/** A system with a catalogue, on a real socket, and an operator that has an account there. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import { type ProductId, parseProductId, parseVenueId } from '../../../src/kernel/ids.ts';
import type { AppDeps } from '../../../src/services.ts';
import type { Outcome } from '../../../src/tms/contract.ts';
import type { CataloguePage, RemoteConnector } from '../../../src/tms/remote.ts';
import { type Answer, type CallOptions, startTestApp, type TestApp } from '../../support/app.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';
import { REMOTE_ZONE, startRemoteBistro } from '../../support/remote-tms/harness.ts';
import type { RemoteTms } from '../../support/remote-tms/server.ts';
import { callNow } from '../bookings/amend/amending.ts';

export const OPERATOR = 9;
export const SYSTEM = 'elsewhere';
export const PRODUCT = parseProductId(`${OPERATOR}|${SYSTEM}|bistro|supper`);

// biome-ignore lint/suspicious/noExplicitAny: what a system says may have any shape.
export type Said = any;

export interface CatalogueServer {
  url: string;
  /** What it says: all venues, cut into pages, unless a test answers itself. */
  venues: Said[];
  pageSize: number;
  /** Undefined: as usual. A number is a status. */
  answer: ((cursor: string | null) => Said | number | Promise<Said | number>) | undefined;
  /** Cursors that it was asked for. */
  asked: (string | null)[];
  close(): Promise<void>;
}

export async function startCatalogue(): Promise<CatalogueServer> {
  const server = createServer(async (request, response) => {
    const cursor = new URL(request.url ?? '/', 'http://here').searchParams.get('cursor');
    system.asked.push(cursor);
    const answer = system.answer ? await system.answer(cursor) : pageAt(Number(cursor ?? 0));
    if (typeof answer === 'number') return response.writeHead(answer).end();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  const pageAt = (from: number) => {
    const { venues, pageSize } = system;
    const to = from + pageSize;
    return {
      venues: venues.slice(from, to),
      next: to < venues.length ? String(to) : null,
      total: venues.length,
    };
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const system: CatalogueServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    venues: [],
    pageSize: 2,
    answer: undefined,
    asked: [],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return system;
}

export function catalogueConnector(catalogueUrl: string, booksUrl = catalogueUrl): RemoteConnector {
  return {
    ...createRemote(booksUrl, SYSTEM),
    async catalogue({ signal }, cursor): Promise<Outcome<CataloguePage>> {
      const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      const response = await fetch(`${catalogueUrl}/catalogue${query}`, { signal });
      if (response.status === 429) return { kind: 'rate-limited', retryAfterSeconds: 7 };
      if (response.status === 401)
        return { kind: 'refused', reason: 'rejected', detail: 'The token is not known.' };
      if (response.status !== 200) return { kind: 'unavailable', detail: `It answered ${response.status}.` };
      return { kind: 'ok', value: (await response.json()) as CataloguePage };
    },
  };
}

export const venue = (resourceId: string, said: Said = {}): Said => ({
  resourceId,
  name: `Venue ${resourceId}`,
  timeZone: REMOTE_ZONE,
  address: { street: '1 Rue X', area: 'Marais', city: 'Paris', postcode: '75003', countryCode: 'FR' },
  position: { lat: 48.85, lng: 2.35 },
  hours: { weekly: [{ weekday: 1, opens: 720, closes: 1380 }] },
  products: [product('supper')],
  ...said,
});

export const product = (key: string, said: Said = {}): Said => ({
  key,
  name: `Product ${key}`,
  timeIntervalMinutes: 60,
  minGuests: 1,
  maxGuests: 8,
  ...said,
});

export interface World {
  app: TestApp;
  system: CatalogueServer;
  books: RemoteTms;
  wind(seconds: number): void;
  call(rest: string, options?: CallOptions): Promise<Answer>;
  /** Starts a run, which must begin. */
  begun(body?: object): Promise<Said>;
  read(id: string): Promise<Said>;
  /** Works until nothing is due, and reads the run. */
  work(id: string): Promise<Said>;
  differences(id: string, query?: string): Promise<Said[]>;
  /** A dry run from beginning to end. */
  review(): Promise<Said>;
  /** A review, and what it has found applied. */
  applied(): Promise<Said>;
  nightly(): Promise<Said>;
  sell(...productIds: ProductId[]): Promise<void>;
  close(): Promise<void>;
}

export async function startWorld(deps: Partial<AppDeps> = {}): Promise<World> {
  const system = await startCatalogue();
  const books = await startRemoteBistro({ product: PRODUCT });
  let ahead = 0;
  const clock = () => Temporal.Now.instant().add({ seconds: ahead });
  const connectors = [catalogueConnector(system.url, books.url)];
  const app = await startTestApp({ deps: { clock, connectors, ...deps } });
  await inTransaction(app.sql, (tx) =>
    importOperator(tx, { id: OPERATOR, name: 'Elsewhere', systems: [SYSTEM], venues: [] }),
  );
  const url = `/manage/operators/${OPERATOR}/systems/${SYSTEM}/catalogue`;
  const call = (rest: string, options: CallOptions = {}) =>
    callNow(app, `${url}${rest}`, { as: 'demo-admin', ...options });
  const read = async (id: string) => (await call(`/${id}`)).json;
  const begun = async (body?: object) => {
    const query = body ? '' : '?dryRun=true';
    const answer = await call(query, { method: 'POST', ...(body && { body }) });
    assert.equal(answer.status, 202, answer.text);
    return answer.json;
  };
  const work = async (id: string) => {
    await app.services.systemCatalogue.workDue();
    return read(id);
  };
  const review = async () => work((await begun()).id);
  return {
    app,
    system,
    books,
    wind: (seconds) => {
      ahead += seconds;
    },
    call,
    begun,
    read,
    work,
    differences: async (id, query = '?pageSize=100') => (await call(`/${id}/differences${query}`)).json.data,
    review,
    async applied() {
      const { id: reviewedRunId } = await review();
      return work((await begun({ reviewedRunId })).id);
    },
    async nightly() {
      const now = clock().toZonedDateTimeISO('UTC');
      const night = now.add({ days: 1 }).startOfDay().add({ hours: 6 });
      ahead += Math.ceil(night.since(now).total('seconds'));
      assert.equal(await app.services.systemCatalogue.beginNightly(), 1);
      await app.services.systemCatalogue.workDue();
      return (await call('')).json.data[0];
    },
    sell: (...productIds) =>
      inTransaction(app.sql, async (tx) => {
        const byVenue = Map.groupBy(productIds, (id) => id.slice(0, id.lastIndexOf('|')));
        for (const [id, ofVenue] of byVenue)
          await mapVenue(tx, { partnerId: 1, venueId: parseVenueId(id), productIds: ofVenue });
      }),
    async close() {
      await app.close();
      await system.close();
      await books.close();
    },
  };
}

export const managed = async ({ app }: World, path: string): Promise<Said> =>
  (await callNow(app, `/manage/venues/${path}`, { as: 'demo-admin' })).json;

export const venuePath = (resourceId: string) => encodeURIComponent(`${OPERATOR}|${SYSTEM}|${resourceId}`);
