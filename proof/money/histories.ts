/** Histories of money one after the other, and what does not fit at the end of each. */
import { randomFrom } from '../../test/faults/orders/order-random.ts';
import { runHistory, type Teller } from './history.ts';
import { type MoneyWorld, openMoneyWorld, type Tampering } from './world.ts';

export interface Histories {
  seed: number;
  histories: number;
  tampering?: Tampering;
  /** Whether what was found is enough. */
  isOver?: (contradictions: readonly string[]) => boolean;
  say?: (line: string) => void;
}

export interface Outcome {
  histories: number;
  contradictions: string[];
  counts: Record<string, number>;
  /** What Stripe has taken and given back in the end, in pence. */
  takenPence: number;
  returnedPence: number;
}

const LINE_EVERY = 50;

export async function runHistories(options: Histories): Promise<Outcome> {
  const { seed, histories, tampering, isOver = () => false, say = () => {} } = options;
  const counts: Record<string, number> = {};
  const teller: Teller = {
    count(what) {
      counts[what] = (counts[what] ?? 0) + 1;
    },
  };
  const contradictions: string[] = [];
  const world = await openMoneyWorld({ ...(tampering && { tampering }) });
  const living = [await world.startNode(), await world.startNode()];
  const mortal = [await world.startNode(), await world.startNode()];
  let done = 0;
  try {
    for (; done < histories && !isOver(contradictions); done += 1) {
      const found = await runHistory({ world, living, mortal, teller }, randomFrom(seed + done));
      for (const line of found) {
        contradictions.push(`history ${seed + done}: ${line}`);
        say(`history ${seed + done}: ${line}`);
      }
      if ((done + 1) % LINE_EVERY === 0)
        say(`${done + 1} histories, ${contradictions.length} contradictions`);
    }
    const taken = world.stripe.intents().reduce((sum, { amount_received }) => sum + amount_received, 0);
    const refunds = world.stripe.refunds().filter(({ status }) => status === 'succeeded');
    const returnedPence = refunds.reduce((sum, { amount }) => sum + amount, 0);
    contradictions.push(...(await differencesIn(world, taken - returnedPence)));
    return { histories: done, contradictions, counts, takenPence: taken, returnedPence };
  } finally {
    world.stripe.notify(undefined);
    await world.stripe.announced();
    for (const node of [...living, ...mortal]) await node.leave();
    await world.close();
  }
}

/** All of it together, as the job that compares the books sees it and as the ledger adds up. */
async function differencesIn({ app, calmDown }: MoneyWorld, netPence: number): Promise<string[]> {
  calmDown();
  const { isComplete } = await app.services.payments.reconcile();
  const found = await app.sql<{ kind: string; reference: string }[]>`
    select kind, reference from payment_difference`;
  const [ledger] = await app.sql<{ pence: number }[]>`
    select coalesce(sum(amount_pence), 0)::integer as pence from ledger_entry where provider = 'stripe'`;
  return [
    ...found.map(({ kind, reference }) => `the comparison finds ${reference}: ${kind}`),
    ...(isComplete ? [] : ['the comparison did not come to its end']),
    ...(ledger?.pence === netPence ? [] : [`the ledger has ${ledger?.pence}, and Stripe has ${netPence}`]),
  ];
}
