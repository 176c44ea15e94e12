import { openPool, type Sql } from '../../src/db/database.ts';
import { type ProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { dayClock } from '../../src/kernel/zone-time.ts';
import { loadBook } from '../../src/tms/house/book-store.ts';
import { daySlots, startsOf } from '../../src/tms/house/slots.ts';
import { readLive } from '../../src/tms/house/store.ts';
import { median } from '../compare.ts';
import type { Figure } from '../figure.ts';
import { ZONE } from './busy-house.ts';

const ROUNDS = 21;
const COMPUTATIONS = 500;
const READS = 40;
const GUESTS = 2;
const DURATION_MINUTES = 90;
const MS_PER_DAY = 86_400_000;

/** The pure computation by itself, on the book and the stays as they are in the database. */
export async function measureSlots(databaseUrl: string, productId: ProductId, date: string): Promise<Figure> {
  const { product, live } = await readDay(databaseUrl, productId, date);
  const party = { guests: GUESTS, durationMinutes: DURATION_MINUTES, zone: ZONE, nowMs: Date.now() };
  const compute = () => {
    const starts = startsOf(product, dayClock(ZONE, date), DURATION_MINUTES);
    return daySlots(product, date, starts, party, live);
  };
  const day = compute();
  const taken = await inTurns(COMPUTATIONS, compute, () => JSON.stringify(day));
  return {
    name: 'availability.slots',
    ...taken,
    unit: 'ms',
    against: `JSON.stringify of the same ${day.slots.length} slots, from ${live.stays.tableIds.length} stays`,
    goal: { oursBelow: 0.2 },
  };
}

/** The statement that reads the stays of a day, which a node runs once after each change of them. */
export async function measureReading(
  manyUrl: string,
  fewUrl: string,
  productId: ProductId,
  date: string,
): Promise<Omit<Figure, 'against'>> {
  const many = openPool(manyUrl, { max: 1 });
  const few = openPool(fewUrl, { max: 1 });
  try {
    const read = (sql: Sql) => readLive(sql, windowOf(productId, date));
    const taken = await inTurns(
      READS,
      () => read(many),
      () => read(few),
    );
    return { name: 'availability.growth.reading', ...taken, unit: 'ms', goal: { atMost: 1.3 } };
  } finally {
    await many.end();
    await few.end();
  }
}

function windowOf(productId: ProductId, date: string) {
  const fromMs = dayClock(ZONE, date).epochMsOf(0) ?? 0;
  const venueId = venueOfProduct(productId);
  return { venueId, productId, fromMs, toMs: fromMs + MS_PER_DAY, isPaced: true };
}

async function readDay(databaseUrl: string, productId: ProductId, date: string) {
  const sql = openPool(databaseUrl, { max: 1 });
  try {
    const product = (await loadBook(sql, venueOfProduct(productId)))?.products.get(productId);
    const live = await readLive(sql, windowOf(productId, date));
    if (!product || !live) throw new Error(`${productId} is not in the database.`);
    return { product, live };
  } finally {
    await sql.end();
  }
}

/** Milliseconds of one time of each. */
export async function inTurns(times: number, ours: () => unknown, reference: () => unknown) {
  const taken = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    taken.ours.push(await msEach(times, ours));
    taken.reference.push(await msEach(times, reference));
  }
  return { ours: median(taken.ours), reference: median(taken.reference) };
}

async function msEach(times: number, work: () => unknown): Promise<number> {
  const began = performance.now();
  for (let time = 0; time < times; time += 1) {
    const result = work();
    if (result instanceof Promise) await result;
  }
  return (performance.now() - began) / times;
}
