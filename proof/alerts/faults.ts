/** What is done to a running node so that alerts fire. */
import type { World } from './world.ts';

export interface Fault {
  how: string;
  /** The alerts that are expected to fire. */
  alerts: readonly string[];
  /** Begins it; what it returns ends it. */
  begin(world: World): Promise<() => unknown>;
  /** For what takes longer than the others. */
  patienceMs?: number;
  /** Calls that go on meanwhile. */
  calls?(world: World): Promise<unknown>;
}

const LOCAL = '1|house|soho-grill|dinner';
const REMOTE = '1|example|harbour-kitchen|dinner';
const list = ({ call }: World) => call('/venues/bookings?pageSize=1').then((answer) => answer.text());

/** A table that is not there: what needs it fails. */
const without =
  (table: string) =>
  async ({ sql }: World) => {
    await sql.unsafe(`alter table ${table} rename to ${table}_away`);
    return () => sql.unsafe(`alter table ${table}_away rename to ${table}`);
  };

export const FAULTS: readonly Fault[] = [
  {
    // The first, since a job that has ended well lately does not count as failing.
    how: 'The table `booking_order` is renamed: `orders.close-abandoned` fails every minute',
    alerts: ['JobFails'],
    patienceMs: 8 * 60_000,
    begin: without('booking_order'),
  },
  {
    how: 'The collector of traces is away',
    alerts: ['SpansDropped'],
    begin: async () => () => {},
    calls: list,
  },
  {
    how: 'The mail server is away, and a person is invited',
    alerts: ['MailsWaiting'],
    async begin({ call }) {
      const body = JSON.stringify({ email: 'new@lamp.example', role: 'staff' });
      const answer = await call('/manage/operators/1/invites', { method: 'POST', body });
      if (!answer.ok) throw new Error(await answer.text());
      return () => {};
    },
  },
  {
    how: 'The receiver of webhooks answers 500 to every booking',
    alerts: ['WebhooksFail'],
    async begin({ receiver, call }) {
      receiver.behave((response) => void response.writeHead(500).end());
      const body = JSON.stringify({ callbackUrl: `${receiver.url}/hooks` });
      await call('/webhooks/subscriptions', { method: 'POST', body });
      return () => receiver.behave((response) => void response.writeHead(204).end());
    },
    calls: ({ book }) => book(LOCAL).then((answer) => answer.text()),
    // It waits for 90 s itself.
    patienceMs: 200_000,
  },
  {
    how: 'The system of a venue answers 500, and guests book there',
    alerts: ['BookingsFail', 'SystemResting', 'ErrorBudgetBurnsFast', 'ErrorBudgetBurnsSlowly'],
    async begin({ system }) {
      system.isFailing = true;
      return () => {
        system.isFailing = false;
      };
    },
    calls: ({ book }) => book(REMOTE).then((answer) => answer.text()),
  },
  {
    how: 'The table `booking` is renamed, and bookings are listed',
    alerts: ['ServerError', 'ManyServerErrors'],
    begin: without('booking'),
    calls: list,
  },
  {
    how: 'The table `booking` is locked, and 150 callers list bookings',
    alerts: ['PoolExhausted', 'SlowRoute'],
    async begin({ sql }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
      const locking = sql.begin(async (tx) => {
        await tx.unsafe(`set local idle_in_transaction_session_timeout = 0`);
        await tx.unsafe('lock table booking in access exclusive mode');
        locked();
        await promise;
      });
      await isLocked;
      return () => {
        resolve();
        return locking;
      };
    },
    calls: (world) => Promise.all(Array.from({ length: 150 }, () => list(world))),
  },
  {
    how: 'PostgreSQL stands still for a second, again and again (SIGSTOP), and 400 callers list bookings',
    alerts: ['CallsShed'],
    async begin({ database }) {
      let isHanging = false;
      const beat = setInterval(() => {
        isHanging = !isHanging;
        if (isHanging) database.hang();
        else database.wake();
      }, 1000);
      return () => {
        clearInterval(beat);
        database.wake();
      };
    },
    calls: (world) => Promise.all(Array.from({ length: 400 }, () => list(world))),
  },
  {
    how: 'The table `request_log` is renamed, and calls go on',
    alerts: ['RequestLogDropped'],
    begin: without('request_log'),
    calls: list,
  },
  {
    how: 'A difference is written into `payment_difference`',
    alerts: ['PaymentDifferences'],
    async begin({ sql }) {
      await sql.unsafe(`insert into payment_difference (provider, kind, reference, currency, found_at)
        values ('sandbox', 'not_here', 'made-up', 'GBP', now())`);
      return () => sql.unsafe('delete from payment_difference');
    },
  },
  {
    how: 'The index of a feed is dated two days back',
    alerts: ['FeedStale'],
    async begin({ sql, stopWorker, startWorker }) {
      await stopWorker();
      await sql.unsafe(`update feed_channel set made_at = now() - interval '2 days' where is_active`);
      return startWorker;
    },
  },
  {
    how: 'The worker is killed, and deliveries of two minutes ago wait',
    alerts: ['NoWorker', 'WebhooksOverdue'],
    async begin({ sql, stopWorker, startWorker, book }) {
      await stopWorker();
      await book(LOCAL);
      await sql.unsafe(`update delivery set due_at = now() - interval '2 minutes', created_at = now() - interval '2 minutes',
        claim = null where status = 'pending'`);
      return startWorker;
    },
  },
  {
    how: 'The event loop of a node is blocked for 200 ms at a time',
    alerts: ['EventLoopBlocked'],
    async begin({ second }) {
      second.child.kill('SIGUSR2');
      return () => second.child.kill('SIGUSR2');
    },
  },
  {
    how: 'The connections of one node to the database are cut',
    alerts: ['NodeNotReady'],
    async begin({ cut }) {
      cut(true);
      return () => cut(false);
    },
  },
  {
    how: 'PostgreSQL stands still (SIGSTOP)',
    alerts: ['NoNodeReady'],
    async begin({ database }) {
      database.hang();
      return () => database.wake();
    },
  },
  {
    how: 'A node is killed',
    alerts: ['NodeDown'],
    async begin({ second }) {
      second.child.kill('SIGKILL');
      await second.exit;
      return () => {};
    },
  },
  {
    how: 'The worker is killed as well: one node of three is left',
    alerts: ['MostNodesDown'],
    async begin({ stopWorker }) {
      await stopWorker();
      return () => {};
    },
  },
];
