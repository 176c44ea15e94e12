/** Lives of nodes: one ends, or is suspended, between any two things that it does to the world. */
import type { Sql, Tx } from '../../src/db/database.ts';
import type { PaymentProvider } from '../../src/features/payments/provider.ts';
import type { RemoteConnector } from '../../src/tms/remote.ts';

export interface LifeOptions {
  /** After so many steps everything fails before it is sent, and transactions that are open are rolled back. */
  diesAfter?: number;
  /** After so many steps it stands still, with whatever it holds, until it is told to go on. */
  pausesAfter?: number;
}

export type Life = ReturnType<typeof createLife>;

export function createLife({ diesAfter = Infinity, pausesAfter = Infinity }: LifeOptions = {}) {
  const paused = Promise.withResolvers<void>();
  const goingOn = Promise.withResolvers<void>();
  let isBorn = false;
  let steps = 0;
  let isDead = false;

  function step(): void {
    if (!isBorn) return;
    steps += 1;
    isDead ||= steps > diesAfter;
    if (isDead) throw new Error('The node is dead.');
  }

  /** Before something is sent, and when its answer has come: what was done by then stays done. */
  async function moment(): Promise<void> {
    step();
    if (steps <= pausesAfter) return;
    paused.resolve();
    await goingOn.promise;
  }

  const around =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await moment();
      const result = await call(...args);
      await moment();
      return result;
    };

  /** What is sent together in a transaction is carried out in that order, so there is nowhere to stand still. */
  const inside = (tx: Tx): Tx =>
    new Proxy(tx, {
      apply(target, self, args) {
        step();
        return Reflect.apply(target as never, self, args);
      },
    });

  /** Only what is waited for is a statement; what is put into another one is not. */
  function awaited(query: Promise<unknown>): Promise<unknown> {
    const sent = query.then.bind(query);
    const then: typeof query.then = (done, failed) =>
      moment()
        .then(() => sent())
        .then(done, failed);
    return Object.assign(query, { then, catch: (failed: never) => then(undefined, failed) });
  }

  return {
    isDead: () => isDead,
    steps: () => steps,
    paused: paused.promise,
    goOn: goingOn.resolve,
    /** Steps count from here on. */
    beBorn(): void {
      isBorn = true;
    },

    sql(sql: Sql): Sql {
      const begin = (mode: string, work: (tx: Tx) => Promise<unknown>) =>
        sql.begin(mode, async (tx) => {
          const result = await work(inside(tx));
          await moment();
          return result;
        });
      return new Proxy(sql, {
        apply: (target, self, args) => awaited(Reflect.apply(target, self, args) as never),
        get: (target, name) => (name === 'begin' ? around(begin) : Reflect.get(target, name)),
      });
    },

    provider(provider: PaymentProvider): PaymentProvider {
      const { open, authorise, find, capture, cancel, refund, movements } = provider;
      return {
        ...provider,
        open: around(open),
        authorise: around(authorise),
        find: around(find),
        capture: around(capture),
        cancel: around(cancel),
        refund: around(refund),
        movements: around(movements),
      };
    },

    connector(connector: RemoteConnector): RemoteConnector {
      const { availability, book, amend, cancel, find, holds } = connector;
      return {
        ...connector,
        availability: around(availability),
        book: around(book),
        amend: around(amend),
        cancel: around(cancel),
        find: around(find),
        ...(holds && {
          holds: {
            hold: around(holds.hold),
            extend: around(holds.extend),
            confirm: around(holds.confirm),
            release: around(holds.release),
          },
        }),
      };
    },
  };
}
