/** What there is to book in a storm, who is told of it, and the system of somebody else. */
import { inTransaction, type Sql } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { seedDemo } from '../../src/demo/seed.ts';
import { importOperator, mapVenue } from '../../src/features/venues/service.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { type ProductId, parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { addDays } from '../../src/kernel/zone-time.ts';
import { addGig, addRoom, type Start, startsApart } from '../../test/race/venues.ts';
import { startTowers } from '../../test/support/octo-supplier/harness.ts';
import { OPTION, PRODUCT } from '../../test/support/octo-supplier/product.ts';
import { API_KEY, type OctoSupplier } from '../../test/support/octo-supplier/server.ts';
import { type Receiver, startReceiver } from '../../test/support/peers/receiver.ts';
import { bistroDocument, DAY, OPERATOR } from '../../test/support/remote-tms/bistros.ts';
import { REMOTE_TOKEN } from '../../test/support/remote-tms/connector.ts';
import { REMOTE_ZONE, startRemoteBistro } from '../../test/support/remote-tms/harness.ts';
import type { RemoteTms } from '../../test/support/remote-tms/server.ts';
import { keepChanges } from '../agents/world.ts';

/** `till`: tickets that are confirmed by their deposit. `bistro` speaks connect, `towers` OCTO. */
export type Kind = 'room' | 'gig' | 'till' | 'bistro' | 'towers';

export interface Spot {
  kind: Kind;
  productId: ProductId;
  venueId: string;
  operatorId: number;
  starts: readonly Start[];
}

export interface World {
  spots: readonly Spot[];
  /** Those that the second partner sells as well. */
  shared: readonly Spot[];
  /** A room that no partner sells, for parties that walk in today. */
  front: Spot;
  remote: RemoteTms;
  towers: OctoSupplier;
  receiver: Receiver;
  close(): Promise<void>;
}

export const SLUG = 'bistro0';
export const TOWERS_SLUG = 'towers';
/** Signs what the bistro's system sends by itself. */
export const SYSTEM_SECRET = `whsec_${Buffer.from('between the storm and the gateway').toString('base64')}`;
/** What `addGig` sells one ticket for. */
export const TICKET_PENCE = 1500;
const OTHER_PARTNER_ID = 2;
const TABLES = 5;
const TICKETS = 25;
const PARTIES = 8;
const SUPPERS = ['19:00', '20:00', '21:00'];
const DAYS = 3;
const STARTS_OF_A_DAY = 5;
const TOWERS_UNITS = 8;
const TOWERS_STARTS = ['10:00', '14:00', '18:00'];
const DEPOSIT = {
  ...{ amount: 500, currency: 'GBP', per: 'guest' },
  ...{ minPartySize: null, maxPartySize: null, weekdays: null },
};

export async function openWorld(sql: Sql): Promise<World> {
  await migrate(sql);
  await seedDemo(sql, systemClock);
  const starts = startsApart(DAYS * STARTS_OF_A_DAY);
  const productId = parseProductId(`${OPERATOR}|${SLUG}|bistro|supper`);
  const remote = await startRemoteBistro({ product: productId, partiesPerStart: PARTIES });
  const towersId = parseProductId(`${OPERATOR}|${TOWERS_SLUG}|bistro|${PRODUCT}~${OPTION}`);
  const towers = await startTowers({
    ...{ zone: REMOTE_ZONE, starts: [600, 840, 1080], durationMinutes: 90 },
    ...{ capacity: TOWERS_UNITS, maxUnits: 6 },
  });
  const tillId = await addGig(sql, TICKETS, starts);
  const frontId = await addRoom(sql, TABLES);
  const spots = [
    spotOf('room', await addRoom(sql, TABLES), starts),
    spotOf('room', await addRoom(sql, TABLES), starts),
    spotOf('gig', await addGig(sql, TICKETS, starts), starts),
    spotOf('gig', await addGig(sql, TICKETS, starts), starts),
    spotOf('till', tillId, starts),
    spotOf('bistro', productId, startsFrom(DAY, SUPPERS)),
    spotOf('towers', towersId, startsFrom(DAY, TOWERS_STARTS)),
  ];
  const front = spotOf('room', frontId, []);
  const shared = spots.filter((_, index) => index === 0 || index === 2);
  await inTransaction(sql, async (tx) => {
    const venues = [bistroDocument(SLUG), bistroDocument(TOWERS_SLUG, `${PRODUCT}~${OPTION}`)];
    await importOperator(tx, { id: OPERATOR, name: 'Elsewhere', systems: [SLUG, TOWERS_SLUG], venues });
    for (const id of [productId, towersId])
      await mapVenue(tx, { partnerId: 1, venueId: venueOfProduct(id), productIds: [id] });
    await tx`delete from venue_mapping where venue_id = ${front.venueId}`;
    await tx`update product set payment_rules = ${tx.json([DEPOSIT])} where id = ${tillId}`;
    await tx`
      update venue_mapping set deposit = 'before_confirmation' where venue_id = ${venueOfProduct(tillId)}`;
    for (const spot of shared)
      await mapVenue(tx, {
        partnerId: OTHER_PARTNER_ID,
        venueId: venueOfProduct(spot.productId),
        productIds: [spot.productId],
      });
  });
  await keepChanges(sql);
  // The half year of every house of the demo would keep two processors busy for longer than the storm lasts.
  await sql`delete from feed_venue where venue_id <> all(${spots.map(({ venueId }) => venueId)}::text[])`;
  const receiver = await startReceiver();
  return {
    spots,
    shared,
    front,
    remote,
    towers,
    receiver,
    async close() {
      await receiver.close();
      await remote.close();
      await towers.close();
    },
  };
}

const startsFrom = (first: string, times: readonly string[]): Start[] =>
  Array.from({ length: DAYS }, (_, index) => addDays(first, index)).flatMap((date) =>
    times.map((time) => ({ date, time })),
  );

/** What the platform and the operator say of the two systems, over the interface. */
export const systemsOf = ({ remote, towers }: World) => [
  {
    ...{ slug: SLUG, protocol: 'connect', settings: { url: remote.url, holds: true, changes: true } },
    credentials: { token: REMOTE_TOKEN, webhookSecret: SYSTEM_SECRET },
  },
  {
    ...{ slug: TOWERS_SLUG, protocol: 'octo', settings: { url: towers.url } },
    credentials: { apiKey: API_KEY },
  },
];

function spotOf(kind: Kind, productId: ProductId, starts: readonly Start[]): Spot {
  const venueId = venueOfProduct(productId);
  return { kind, productId, venueId, operatorId: Number(venueId.split('|')[0]), starts };
}
