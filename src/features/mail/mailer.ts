import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';

/** What is sealed while it waits. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  /** The same as the text, for those who like it so. */
  html?: string;
  /** In whose name it is sent, from our address; absent: in our own. */
  fromName?: string;
  replyTo?: string;
  /** An entry for the calendar of the recipient, as RFC 5546 has it. */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string };
}

export interface Mail extends Letter {
  /** The same when it is sent a second time. */
  id: string;
}

/** Takes a mail to where it is delivered from, or throws. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** How many mails a node sends at a time. */
export const MAILS_AT_ONCE = 8;

export const mailFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'mail');

/**
 * For development: mails become files, the latest last, with those of their other parts beside them. They hold tokens,
 * so only the owner may read them.
 */
export function createOutbox(folder: string): Mailer {
  async function keep(name: string, text: string): Promise<void> {
    const place = join(folder, name);
    await write(`${place}.new`, text);
    await rename(`${place}.new`, place);
  }
  return {
    async send({ id, to, subject, text, html, calendar }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (html !== undefined) await keep(`${id}.html`, html);
      if (calendar) await keep(`${id}.ics`, calendar.content);
      await keep(`${id}.eml`, `To: ${to}\r\nSubject: ${subject}\r\n\r\n${text}`);
    },
  };
}

async function write(path: string, text: string): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
}

/** Connections without work are closed after this time. */
const IDLE_MS = 1000;

/** Credentials and TLS are part of the address: `smtps://user:password@host:465`. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  let pool: ReturnType<typeof connect> | undefined;
  let underWay = 0;
  let idle: NodeJS.Timeout | undefined;
  const address = addressOf(from);

  function close(): void {
    void pool?.then((transport) => transport.close());
    pool = undefined;
  }

  return {
    async send({ id, to, subject, text, html, fromName, replyTo, calendar }) {
      clearTimeout(idle);
      underWay += 1;
      try {
        pool ??= connect(url);
        const transport = await pool;
        await transport.sendMail({
          // Addresses are passed as such: none of them is ever read as a list.
          from: fromName === undefined ? from : { name: oneLine(fromName), address },
          to: { name: '', address: to },
          ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
          subject: oneLine(subject),
          text,
          ...(html !== undefined && { html }),
          ...(calendar && { icalEvent: { ...calendar, filename: 'booking.ics' } }),
          messageId: `<${id}@maitred>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } finally {
        underWay -= 1;
        if (underWay === 0) idle = setTimeout(close, IDLE_MS);
      }
    },
  };
}

/** The address in `Maitred <no-reply@maitred.example>`. */
export const addressOf = (from: string) => /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from.trim();

/** Headers are one line, whatever a guest or a venue is called. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** The library is loaded only where mail is sent. */
async function connect(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    maxConnections: MAILS_AT_ONCE,
    // A mail whose connection breaks is tried again by the queue, and not at once.
    maxRequeues: 0,
    connectionTimeout: DEADLINES.mailConnect,
    greetingTimeout: DEADLINES.mailConnect,
    socketTimeout: DEADLINES.mailSilence,
    // Texts come from us, but nothing in them may ever make the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** What a server says about this mail, and not about the sender or the moment: it will say the same again. */
export function isRefusedForGood(error: unknown): boolean {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && responseCode < 600 && (command === 'RCPT TO' || command === 'DATA');
}
