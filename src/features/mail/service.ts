/**
 * Mails to people. Each is written in the transaction of its cause, so that neither exists without the other, and it
 * is tried until it is sent or out of date. A node that dies between sending and recording it leaves a mail that is
 * sent a second time, under the same id.
 */

import type { Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import { inContestedTransaction, type Sql, type Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { databaseGauge, nodeCounter } from '../../http/observability/metrics.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { type Keyring, newId, open, seal } from '../../kernel/crypto.ts';
import type { Log } from '../../kernel/log.ts';
import { codeOf } from '../../kernel/problem.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import { tracedRoot } from '../../kernel/tracing.ts';
import {
  addressOf,
  createOutbox,
  createSmtpMailer,
  isRefusedForGood,
  type Letter,
  MAILS_AT_ONCE,
  type Mailer,
  mailFolder,
} from './mailer.ts';
import {
  claimMail,
  countMails,
  deleteExpiredMail,
  deleteMail,
  deleteMailsOf,
  insertMails,
  lockMail,
  type MailRow,
  postponeMail,
} from './store.ts';

/** What the queue knows of a mail without opening it. */
interface Queued {
  expiresAt: Temporal.Instant;
  /** For metrics and the log. Absent: it is about an account. */
  kind?: string;
  /** The booking whose guest is named in it; it goes when the guest is forgotten. */
  bookingId?: string;
  /** Mails of one thread are sent in the order in which they were written. */
  thread?: string;
}

export type NewMail = Letter & Queued;

/** A mail that is still to be written: by the handler of its purpose, when it is due. */
export interface MailRequest extends Queued {
  purpose: string;
  data: unknown;
}

/**
 * Writes what was requested. The letter that it returns is sent; without one the request is done, and what the handler
 * posts in the transaction takes its place.
 */
export type LetterWriter = (tx: Tx, data: never) => Promise<Letter | undefined>;

export interface Mailing {
  /** They are sent if and only if the transaction commits. */
  post(tx: Tx, ...mails: readonly NewMail[]): Promise<void>;
  /** Notes requests, which costs the same for every address. */
  request(tx: Tx, ...requests: readonly MailRequest[]): Promise<void>;
  onRequest(purpose: string, write: LetterWriter): void;
  /** Takes back what waits about these bookings, of these kinds or of all. What is being sent may still arrive. */
  discard(tx: Tx, bookingIds: readonly string[], kinds?: readonly string[]): Promise<void>;
  /** Sends what is due, a few at a time. */
  sendDue(signal?: AbortSignal): Promise<void>;
  /** How many are written and not sent. */
  countWaiting(): Promise<number>;
  /** Sends mails as they come, until it is stopped. */
  startPostman(): { stop(): Promise<void> };
  /** The address that mails are sent from. */
  senderAddress: string;
  /** What became of the mails of this node. */
  counts(): MailCounts;
}

/** By kind. */
export type MailCounts = Record<'sent' | 'failed' | 'givenUp', Map<string, number>>;

export interface MailingDeps {
  config: Pick<Config, 'environment' | 'dataDir' | 'smtpUrl' | 'mailFrom'>;
  sql: Sql;
  clock: Clock;
  encryptionKeys: Keyring;
  notifications: Notifications;
  log: Pick<Log, 'warn'>;
}

/** Told by the trigger of the table. */
const TOPIC = 'mail';
/** Longer than any sending takes: a node that claimed a mail and has not sent it by then is gone. */
const LEASE_MINUTES = 5;
const LONGEST_PAUSE_MINUTES = 60;

/** What is sealed. */
type Content = Letter | { request: SealedRequest };

interface SealedRequest {
  purpose: string;
  data?: unknown;
  /** What nodes of the version before write in place of the data. */
  email?: string;
}

const contextOf = (id: string) => `mail:${id}`;

export const SEALED_MAILS: SealedTable = {
  table: 'mail',
  columns: ['sealed'],
  key: ['id'],
  contextOf,
};

export function createMailing(deps: MailingDeps): Mailing {
  const { sql, clock, encryptionKeys, notifications, log, config } = deps;
  const mailer = mailerOf(config);
  const writers = new Map<string, LetterWriter>();
  const counts: MailCounts = { sent: new Map(), failed: new Map(), givenUp: new Map() };
  const count = (what: keyof MailCounts, kind: string) =>
    counts[what].set(kind, (counts[what].get(kind) ?? 0) + 1);

  async function insert(tx: Tx, mails: readonly { content: Content; queued: Queued }[]): Promise<void> {
    if (mails.length === 0) return;
    const attemptAt = nowOf(clock);
    const rows = mails.map(({ content, queued }) => {
      const { expiresAt, kind = 'account', bookingId = null, thread = null } = queued;
      const id = newId(clock);
      const sealed = seal(encryptionKeys, JSON.stringify(content), contextOf(id));
      return { id, kind, sealed, attemptAt, expiresAt, bookingId, thread };
    });
    await insertMails(tx, rows);
  }

  /** The letter, unless the request was carried out in another way or taken back. */
  function write(id: string, { purpose, email, data = email }: SealedRequest) {
    const writer = writers.get(purpose);
    if (!writer) throw new Error(`Nothing writes mails for ${purpose}.`);
    return inContestedTransaction(sql, async (tx) => {
      if (!(await lockMail(tx, id))) return undefined;
      const letter = await writer(tx, data as never);
      if (!letter) await deleteMail(tx, id);
      return letter;
    });
  }

  async function sendOne(target: Mailer, { id, kind, sealed, attempts }: MailRow): Promise<void> {
    try {
      const content = JSON.parse(open(encryptionKeys, sealed, contextOf(id)).toString()) as Content;
      const letter = 'request' in content ? await write(id, content.request) : content;
      if (!letter) return;
      await target.send({ id, ...letter });
      count('sent', kind);
    } catch (error) {
      // Mail servers repeat addresses in what they say, so only their codes are logged.
      const status = (error as { responseCode?: number }).responseCode;
      const details = { mailId: id, kind, attempts, code: codeOf(error), status };
      count('failed', kind);
      if (!isRefusedForGood(error)) {
        log.warn(details, 'A mail could not be sent.');
        const minutes = Math.min(2 ** (attempts - 1), LONGEST_PAUSE_MINUTES);
        return postponeMail(sql, id, nowOf(clock).add({ minutes }));
      }
      log.warn(details, 'A mail was given up: the server refuses it for good.');
      count('givenUp', kind);
    }
    await deleteMail(sql, id);
  }

  async function giveUpExpired(): Promise<void> {
    const kinds = await deleteExpiredMail(sql, nowOf(clock));
    if (kinds.length === 0) return;
    for (const kind of kinds) count('givenUp', kind);
    log.warn({ expired: kinds.length }, 'Mails were given up: they could not be sent in time.');
  }

  async function sendDue(signal?: AbortSignal): Promise<void> {
    await giveUpExpired();
    if (!mailer) return;
    const underWay = new Set<Promise<void>>();
    const failures: unknown[] = [];
    // Each mail that is found starts another worker, so that an empty queue costs one statement.
    const start = () => {
      const working = work()
        .catch((error) => void failures.push(error))
        .finally(() => underWay.delete(working));
      underWay.add(working);
    };
    async function work(): Promise<void> {
      while (!signal?.aborted && failures.length === 0) {
        const now = nowOf(clock);
        const claimed = await claimMail(sql, { now, nextAttemptAt: now.add({ minutes: LEASE_MINUTES }) });
        if (!claimed) return;
        if (underWay.size < MAILS_AT_ONCE) start();
        await tracedRoot('mail.send', () => sendOne(mailer as Mailer, claimed), {
          attributes: { 'maitred.mail_kind': claimed.kind },
        });
      }
    }
    start();
    // Workers begin while others are waited for, so none of them may fail by itself.
    while (underWay.size > 0) await Promise.all(underWay);
    if (failures.length > 0) throw new AggregateError(failures, 'Mails could not be sent.');
  }

  return {
    post: (tx, ...mails) =>
      insert(
        tx,
        mails.map(({ expiresAt, kind, bookingId, thread, ...content }) => ({
          content,
          queued: {
            expiresAt,
            ...(kind && { kind }),
            ...(bookingId && { bookingId }),
            ...(thread && { thread }),
          },
        })),
      ),
    request: (tx, ...requests) =>
      insert(
        tx,
        requests.map(({ purpose, data, ...queued }) => ({ content: { request: { purpose, data } }, queued })),
      ),
    onRequest: (purpose, writer) => void writers.set(purpose, writer),
    discard: deleteMailsOf,
    sendDue,
    countWaiting: () => countMails(sql),
    senderAddress: addressOf(config.mailFrom ?? 'no-reply@localhost'),
    counts: () => counts,

    startPostman() {
      if (!mailer) log.warn({}, 'SMTP_URL is not set: mails wait until it is, or until they are of no use.');
      const stopping = new AbortController();
      const walk = () =>
        sendDue(stopping.signal).catch((err) => log.warn({ err }, 'Mails could not be looked for.'));
      let walking = walk();
      const unsubscribe = notifications.subscribe({
        // One after the other: the next run finds mails that arrive meanwhile.
        changed(topic) {
          if (topic === TOPIC) walking = walking.then(walk);
        },
        // The job finds mails that arrive while the listener is disconnected.
        lost: () => {},
      });
      return {
        async stop() {
          unsubscribe();
          stopping.abort();
          await walking;
        },
      };
    },
  };
}

/** Undefined: there is no way to send mail, and inventing one in live would let tokens lie about in files. */
function mailerOf({ environment, dataDir, smtpUrl, mailFrom }: MailingDeps['config']): Mailer | undefined {
  if (smtpUrl && mailFrom) return createSmtpMailer({ url: smtpUrl, from: mailFrom });
  return environment === 'live' ? undefined : createOutbox(mailFolder({ dataDir }));
}

/** New mails are sent at once; this finds the ones to retry. */
export function mailJobs(mailing: Mailing): JobDefinition[] {
  return [
    {
      name: 'mail.send-due',
      schedule: '* * * * *',
      handle: (signal) => mailing.sendDue(signal),
    },
  ];
}

export function mailMetrics(registry: Registry, mailing: Mailing): void {
  databaseGauge(registry, {
    name: 'mails_waiting',
    help: 'Mails that are written and not sent, of all nodes.',
    read: () => mailing.countWaiting(),
  });
  const counter = (what: keyof MailCounts, name: string, help: string) =>
    nodeCounter(registry, {
      name,
      help,
      labelNames: ['kind'],
      read: () => [...mailing.counts()[what]].map(([kind, count]) => ({ kind, count })),
    });
  counter('sent', 'mails_sent_total', 'Mails that a mail server has taken from this node.');
  counter('failed', 'mails_failed_total', 'Attempts to send a mail that have failed.');
  counter('givenUp', 'mails_given_up_total', 'Mails refused for good, or not sent in time.');
}

export { type Letter, oneLine } from './mailer.ts';
