/**
 * Mails to people. Each is written in the transaction of its cause, so that neither exists without the other, and it
 * is tried until it is sent or out of date. A node that dies between sending and recording it leaves a mail that is
 * sent a second time, under the same id.
 */

import type { Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { databaseGauge } from '../../http/observability/metrics.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { newId, open, seal } from '../../kernel/crypto.ts';
import { codeOf } from '../../kernel/problem.ts';
import { createOutbox, createSmtpMailer, type Mail, type Mailer, mailFolder } from './mailer.ts';
import {
  claimMail,
  countMails,
  deleteExpiredMail,
  deleteMail,
  insertMail,
  type MailRow,
  postponeMail,
} from './store.ts';

export type NewMail = Omit<Mail, 'id'> & { expiresAt: Temporal.Instant };

/** Asks for a mail that is still to be written, to an address that need not have an account. */
export interface MailRequest {
  purpose: string;
  email: string;
}

export interface Mailing {
  /** It is sent if and only if the transaction commits. */
  post(tx: Tx, mail: NewMail): Promise<void>;
  /** Notes a request, which costs the same for every address; the handler writes the mail, if there is to be one. */
  request(tx: Tx, request: MailRequest & { expiresAt: Temporal.Instant }): Promise<void>;
  /** May be called twice for one request. */
  onRequest(handle: (request: MailRequest) => Promise<void>): void;
  /** Sends what is due, one after the other. */
  sendDue(signal?: AbortSignal): Promise<void>;
  /** How many are written and not sent. */
  countWaiting(): Promise<number>;
  /** Sends mails as they come, until it is stopped. */
  startPostman(): { stop(): Promise<void> };
}

export interface MailLog {
  warn(details: object, message: string): void;
}

export interface MailingDeps {
  config: Pick<Config, 'environment' | 'dataDir' | 'smtpUrl' | 'mailFrom'>;
  sql: Sql;
  clock: Clock;
  encryptionKey: Buffer;
  notifications: Notifications;
  log: MailLog;
}

/** Told by the trigger of the table. */
const TOPIC = 'mail';
/** Longer than any sending takes: a node that claimed a mail and has not sent it by then is gone. */
const LEASE_MINUTES = 5;
const LONGEST_PAUSE_MINUTES = 60;

/** What is sealed. */
type Content = Omit<Mail, 'id'> | { request: MailRequest };

const contextOf = (id: string) => `mail:${id}`;

export function createMailing(deps: MailingDeps): Mailing {
  const { sql, clock, encryptionKey, notifications, log } = deps;
  const mailer = mailerOf(deps.config);
  let handleRequest: (request: MailRequest) => Promise<void> = async () => {
    throw new Error('No handler writes the mails that are requested.');
  };

  async function insert(tx: Tx, content: Content, expiresAt: Temporal.Instant): Promise<void> {
    const id = newId(clock);
    const sealed = seal(encryptionKey, JSON.stringify(content), contextOf(id));
    await insertMail(tx, { id, sealed, attemptAt: nowOf(clock), expiresAt });
  }

  async function sendOne(target: Mailer, { id, sealed, attempts }: MailRow): Promise<void> {
    try {
      const content = JSON.parse(open(encryptionKey, sealed, contextOf(id)).toString()) as Content;
      if ('request' in content) await handleRequest(content.request);
      else await target.send({ id, ...content });
    } catch (error) {
      // Mail servers repeat addresses in what they say, so only their codes are logged.
      const status = (error as { responseCode?: number }).responseCode;
      log.warn({ mailId: id, attempts, code: codeOf(error), status }, 'A mail could not be sent.');
      const minutes = Math.min(2 ** (attempts - 1), LONGEST_PAUSE_MINUTES);
      return postponeMail(sql, id, nowOf(clock).add({ minutes }));
    }
    await deleteMail(sql, id);
  }

  async function sendDue(signal?: AbortSignal): Promise<void> {
    const expired = await deleteExpiredMail(sql, nowOf(clock));
    if (expired > 0) log.warn({ expired }, 'Mails were given up: they could not be sent in time.');
    if (!mailer) return;
    while (!signal?.aborted) {
      const now = nowOf(clock);
      const claimed = await claimMail(sql, { now, nextAttemptAt: now.add({ minutes: LEASE_MINUTES }) });
      if (!claimed) return;
      await sendOne(mailer, claimed);
    }
  }

  return {
    post: (tx, { expiresAt, ...mail }) => insert(tx, mail, expiresAt),
    request: (tx, { expiresAt, ...request }) => insert(tx, { request }, expiresAt),
    onRequest(handle) {
      handleRequest = handle;
    },

    sendDue,
    countWaiting: () => countMails(sql),

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
}
