/** Lives of nodes: one ends, or is suspended, between any two things that it does to the world. */
import type { Sql, Tx } from '../../../src/db/database.ts';
import type { PaymentProvider } from '../../../src/features/payments/provider.ts';
import type { RemoteConnector } from '../../../src/tms/remote.ts';

export interface LifeOptions {
  /** After so many steps everything fails before it is sent, and transactions that are open are rolled back. */
  diesAfter?: number;
  /** The same at a call of the payment provider: 1 is before the first call, 2 after it, and so on. */
  diesAtCall?: number;
  /** After so many steps it stands still, with whatever it holds, until it is told to go on. */
  pausesAfter?: number;
}

export type Life = ReturnType<typeof createLife>;

export function createLife(options: LifeOptions = {}) {
  let { diesAfter = Infinity, diesAtCall = Infinity, pausesAfter = Infinity } = options;
  const paused = Promise.withResolvers<void>();
  const goingOn = Promise.withResolvers<void>();
  let isBorn = false;
  let steps = 0;
  let momentsOfCalls = 0;
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

  /** Before and after a call of the payment provider. */
  const call =
    <Args extends unknown[], Result>(send: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      dieAtCall();
      const result = await around(send)(...args);
      dieAtCall();
      return result;
    };

  function dieAtCall(): void {
    if (!isBorn) return;
    momentsOfCalls += 1;
    isDead ||= momentsOfCalls >= diesAtCall;
    if (isDead) throw new Error('The node is dead.');
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

    /** Another life of the same node, as if it had been started again. */
    beReborn(next: LifeOptions): void {
      ({ diesAfter = Infinity, diesAtCall = Infinity, pausesAfter = Infinity } = next);
      [steps, momentsOfCalls, isDead] = [0, 0, false];
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
        open: call(open),
        authorise: call(authorise),
        find: call(find),
        capture: call(capture),
        cancel: call(cancel),
        refund: call(refund),
        movements: call(movements),
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
