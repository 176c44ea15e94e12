/** What agents can book here, the clients that they are, and two nodes that answer them. */
import assert from 'node:assert/strict';
import { buildApp } from '../../src/app.ts';
import { inTransaction, openPool, type Sql } from '../../src/db/database.ts';
import { openNotifications } from '../../src/db/notifications.ts';
import { importOperator, mapVenue } from '../../src/features/venues/service.ts';
import type { VenueDocument } from '../../src/features/venues/transfer/document.ts';
import type { App } from '../../src/http/route.ts';
import { parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { addDays } from '../../src/kernel/zone-time.ts';
import { type AppDeps, createServices, type Services } from '../../src/services.ts';
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { bistroDocument, OPERATOR } from '../../test/support/remote-tms/bistros.ts';
import { createRemote } from '../../test/support/remote-tms/connector.ts';
import { startRemoteBistro } from '../../test/support/remote-tms/harness.ts';

/** As `PUT /manage/clients/{clientId}/mandate` takes it. */
export interface Mandate {
  maxPartySize?: number;
  maxDepositPence?: number;
  maxOpenBookings?: number;
  maxBookingsPerDay?: number;
  maxDaysAhead?: number;
  venueIds?: string[];
  cities?: string[];
  confirmAbove?: { partySize?: number; depositPence?: number };
}

export interface AgentClient {
  name: string;
  /** Undefined: it may do whatever its partner may. */
  mandate: Mandate | undefined;
  token: string;
  headers: Record<string, string>;
}

export interface Product {
  id: string;
  venueId: string;
  city: string;
  times: readonly string[];
}

export interface World {
  app: TestApp;
  addresses: readonly string[];
  services: readonly Services[];
  products: readonly Product[];
  clients: readonly AgentClient[];
  today: string;
  /** The days that most requests are about; absent: those near today. */
  dates?: readonly string[];
  close(): Promise<void>;
}

export interface WorldOptions {
  /** What the service is told of a mandate; a control has it know less than the checker. */
  granted?: (mandate: Mandate) => Mandate | undefined;
}

const PARTNER = { id: 1, reference: 'demo-partner' };
const DAYS = 60;
const TABLES = [2, 2, 2, 4, 4, 6, 6, 8, 12];
const LUNCH_AND_DINNER = ['12:00', '14:00', '16:00', '18:00', '20:00'];
const SUPPERS = ['19:00', '20:00', '21:00'];
const EVENINGS = ['20:00'];
const TICKETS = 400;
const TICKET_PENCE = 1500;
const PARTIES = 12;
const SLUG = 'elsewhere';

const today = () => Temporal.Now.plainDateISO('Europe/London').toString();

function venue(tms: string, resourceId: string, city: string): VenueDocument {
  const weekdays: [1, 2, 3, 4, 5, 6, 7] = [1, 2, 3, 4, 5, 6, 7];
  const hours = { weekly: [{ weekdays, periods: [{ opens: '12:00', closes: '22:00' }] }] };
  return {
    ...{ tms, resourceId, name: resourceId, timeZone: 'Europe/London', types: [], photos: [] },
    content: { summary: '', description: '', highlights: [] },
    location: { lat: 51.5, lng: -0.1, area: city, city, countryCode: 'GB' },
    hours: { weekly: [] },
    products: [
      {
        ...{ key: 'place', name: 'A place', timeIntervalMinutes: 30 },
        hours: tms === 'house' ? hours : { weekly: [] },
      },
    ],
  };
}

function house(resourceId: string, city: string, firstTable: number): VenueDocument {
  const tables = TABLES.map((maxCovers, index) => ({
    ...{ id: firstTable + index, name: `T${index + 1}`, maxCovers },
  }));
  const areas = [{ id: firstTable, name: 'Main room', tables }];
  return {
    ...venue('house', resourceId, city),
    house: {
      zones: [{ id: firstTable, name: 'Inside', areas }],
      products: [{ key: 'place', takesEnquiries: true }],
    },
  };
}

function gig(resourceId: string, city: string): VenueDocument {
  const days = Array.from({ length: DAYS }, (_, index) => addDays(today(), index));
  const occurrence = { startsMinute: 20 * 60, durationMinutes: 90 };
  return {
    ...venue('tickets', resourceId, city),
    tickets: {
      occurrences: days.map((date) => ({ date, ...occurrence })),
      ticketTypes: [{ key: 'place', pricePence: TICKET_PENCE, capacity: TICKETS, maxPerBooking: 10 }],
    },
  };
}

async function addVenues(sql: Sql): Promise<Product[]> {
  const documents: [VenueDocument, readonly string[]][] = [
    [house('soho', 'London', 881_000), LUNCH_AND_DINNER],
    [house('camden', 'London', 882_000), LUNCH_AND_DINNER],
    [house('pulteney', 'Bath', 883_000), LUNCH_AND_DINNER],
    [gig('palladium', 'London'), EVENINGS],
    [gig('pump-room', 'Bath'), EVENINGS],
    [{ ...bistroDocument(SLUG), tms: SLUG }, SUPPERS],
  ];
  const products: Product[] = [];
  for (const [index, [document, times]] of documents.entries()) {
    const operator = document.tms === SLUG ? OPERATOR : 801 + index;
    const key = document.products[0]?.key ?? '';
    const productId = parseProductId(`${operator}|${document.tms}|${document.resourceId}|${key}`);
    const venueId = venueOfProduct(productId);
    await inTransaction(sql, async (tx) => {
      const name = `Agents ${operator}`;
      await importOperator(tx, { id: operator, name, systems: [document.tms], venues: [document] });
      await mapVenue(tx, { partnerId: PARTNER.id, venueId, productIds: [productId] });
    });
    products.push({ id: productId, venueId, city: document.location.city, times });
  }
  await demandDeposit(sql, products);
  return products;
}

/** Tickets of the second gig are confirmed by their deposit. */
async function demandDeposit(sql: Sql, products: readonly Product[]): Promise<void> {
  const { id = '', venueId = '' } = products.find((product) => product.id.includes('pump-room')) ?? {};
  const rule = { amount: 500, currency: 'GBP', per: 'guest', minPartySize: null, maxPartySize: null };
  await sql`update product set payment_rules = ${sql.json([{ ...rule, weekdays: null }])} where id = ${id}`;
  await sql`update venue_mapping set deposit = 'before_confirmation' where venue_id = ${venueId}`;
}

const isAgent = (name: string) => name.startsWith('agent');

/** Each limit binds some client, alone or with others; one client has none. */
function mandatesFor(products: readonly Product[]): Record<string, Mandate | undefined> {
  const venueIds = products.filter((_, index) => index % 2 === 0).map(({ venueId }) => venueId);
  return {
    unlimited: undefined,
    small: { maxPartySize: 4, maxOpenBookings: 3 },
    near: { venueIds, maxDaysAhead: 14, maxOpenBookings: 12 },
    counted: { cities: ['London'], maxBookingsPerDay: 20, maxPartySize: 6 },
    careful: {
      maxDepositPence: 5000,
      maxOpenBookings: 15,
      confirmAbove: { partySize: 2, depositPence: 2000 },
    },
    'agent-one': { maxOpenBookings: 1, maxDaysAhead: 30 },
    'agent-free': { maxDepositPence: 0, cities: ['London', 'Bath'], confirmAbove: { partySize: 5 } },
  };
}

async function addClients(app: TestApp, products: readonly Product[], { granted }: WorldOptions) {
  const clients: AgentClient[] = [];
  const ask = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await app.call(path, { method, as: 'demo-admin', body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.text === '' ? {} : answer.json;
  };
  for (const [name, mandate] of Object.entries(mandatesFor(products))) {
    const kind = isAgent(name) ? { kind: 'agent' } : { kind: 'partner', partnerId: PARTNER.id };
    const { secret } = await ask('POST', '/manage/clients', { id: name, ...kind });
    if (isAgent(name)) await ask('POST', `/manage/clients/${name}/partners`, { partnerId: PARTNER.id });
    const known = mandate && (granted ? granted(mandate) : mandate);
    if (known) await ask('PUT', `/manage/clients/${name}/mandate`, known);
    const headers: Record<string, string> = isAgent(name) ? { 'x-partner-reference': PARTNER.reference } : {};
    clients.push({ name, mandate, token: await tokenOf(app, name, secret), headers });
  }
  return clients;
}

async function tokenOf({ call }: TestApp, client: string, secret: string): Promise<string> {
  const body = { grant_type: 'client_credentials', audience: 'maitred' };
  const credentials = { client_id: client, client_secret: secret };
  const answer = await call('/oauth/token', { method: 'POST', as: null, body: { ...body, ...credentials } });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.access_token;
}

/** Another node on the database of the first: its own pool, its own memory, its own ear for changes. */
async function startNode(first: AppDeps, url: string) {
  const sql = openPool(url);
  const notifications = await openNotifications(url);
  const deps = { ...first, sql, notifications };
  const services = await createServices(deps);
  const app = await buildApp(deps, services);
  return {
    app,
    services,
    async close() {
      await app.close();
      await services.webhooks.close();
      await services.systems.calls.close();
      await services.connections.close();
      await notifications.close();
      await sql.end({ timeout: 5 });
    },
  };
}

const listening = (app: App) => app.listen({ host: '127.0.0.1', port: 0 });

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const product = parseProductId(`${OPERATOR}|${SLUG}|bistro|supper`);
  const remote = await startRemoteBistro({ product, partiesPerStart: PARTIES, maxGuests: 10 });
  const app = await startTestApp({ deps: { connectors: [createRemote(remote.url, SLUG)] } });
  const products = await addVenues(app.sql);
  const clients = await addClients(app, products, options);
  await keepChanges(app.sql);
  const second = await startNode(app.deps, app.url);
  return {
    ...{ app, products, clients, today: today(), services: [app.services, second.services] },
    addresses: [await listening(app.app), await listening(second.app)],
    async close() {
      await second.close();
      await app.close();
      await remote.close();
    },
  };
}

/** What the checker reads: every state that a row has had, in an order that fits the order of the commits. */
const KEPT = [
  ...[
    'booking',
    'hold',
    'octo_booking',
    'booking_intent',
    'waitlist_entry',
    'payment',
    'mandate_confirmation',
  ],
];

/**
 * The number is drawn inside the transaction, after whatever it has counted: a row that a transaction has seen committed
 * has a lower number than the rows that it writes itself.
 */
export async function keepChanges(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create table kept_change (
      number bigserial primary key, kind text not null, row jsonb not null, is_gone boolean not null,
      at timestamptz not null default clock_timestamp());
    create function keep_change() returns trigger language plpgsql as $$
    begin
      insert into kept_change (kind, row, is_gone)
      values (tg_table_name, to_jsonb(coalesce(new, old)) - 'guest' - 'terms' - 'offer_token', tg_op = 'DELETE');
      return null;
    end $$;`);
  for (const table of KEPT)
    await sql.unsafe(`create trigger keep_change after insert or update or delete on ${table}
      for each row execute function keep_change()`);
}
