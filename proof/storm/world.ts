/** What there is to book in a storm, who is told of it, and the system of somebody else. */
import { inTransaction, type Sql } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { seedDemo } from '../../src/demo/seed.ts';
import { importOperator, mapVenue } from '../../src/features/venues/service.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { type ProductId, parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { addDays } from '../../src/kernel/zone-time.ts';
import { addGig, addRoom, type Start, startsApart } from '../../test/race/venues.ts';
import { type Receiver, startReceiver } from '../../test/support/receiver.ts';
import { bistroDocument, DAY, OPERATOR } from '../../test/support/remote-tms/bistros.ts';
import { startRemoteBistro } from '../../test/support/remote-tms/harness.ts';
import type { RemoteTms } from '../../test/support/remote-tms/server.ts';

export type Kind = 'room' | 'gig' | 'bistro';

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
  remote: RemoteTms;
  receiver: Receiver;
  close(): Promise<void>;
}

export const SLUG = 'bistro0';
/** What `addGig` sells one ticket for. */
export const TICKET_PENCE = 1500;
const OTHER_PARTNER_ID = 2;
const TABLES = 5;
const TICKETS = 25;
const PARTIES = 8;
const SUPPERS = ['19:00', '20:00', '21:00'];
const DAYS = 3;
const STARTS_OF_A_DAY = 5;

export async function openWorld(sql: Sql): Promise<World> {
  await migrate(sql);
  await seedDemo(sql, systemClock);
  const starts = startsApart(DAYS * STARTS_OF_A_DAY);
  const productId = parseProductId(`${OPERATOR}|${SLUG}|bistro|supper`);
  const remote = await startRemoteBistro({ product: productId, partiesPerStart: PARTIES });
  const suppers = Array.from({ length: DAYS }, (_, index) => addDays(DAY, index)).flatMap((date) =>
    SUPPERS.map((time) => ({ date, time })),
  );
  const spots = [
    spotOf('room', await addRoom(sql, TABLES), starts),
    spotOf('room', await addRoom(sql, TABLES), starts),
    spotOf('gig', await addGig(sql, TICKETS, starts), starts),
    spotOf('gig', await addGig(sql, TICKETS, starts), starts),
    spotOf('bistro', productId, suppers),
  ];
  const shared = spots.filter((_, index) => index === 0 || index === 2);
  await inTransaction(sql, async (tx) => {
    const bistro = { id: OPERATOR, name: 'Elsewhere', systems: [SLUG], venues: [bistroDocument(SLUG)] };
    await importOperator(tx, bistro);
    await mapVenue(tx, { partnerId: 1, venueId: venueOfProduct(productId), productIds: [productId] });
    for (const spot of shared)
      await mapVenue(tx, {
        partnerId: OTHER_PARTNER_ID,
        venueId: venueOfProduct(spot.productId),
        productIds: [spot.productId],
      });
  });
  // The half year of every house of the demo would keep two processors busy for longer than the storm lasts.
  await sql`delete from feed_venue where venue_id <> all(${spots.map(({ venueId }) => venueId)}::text[])`;
  const receiver = await startReceiver();
  return {
    spots,
    shared,
    remote,
    receiver,
    async close() {
      await receiver.close();
      await remote.close();
    },
  };
}

function spotOf(kind: Kind, productId: ProductId, starts: readonly Start[]): Spot {
  const venueId = venueOfProduct(productId);
  return { kind, productId, venueId, operatorId: Number(venueId.split('|')[0]), starts };
}
