import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';

export interface Mail {
  /** The same when it is sent a second time. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

/** Takes a mail to where it is delivered from, or throws. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

export const mailFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'mail');

/** For development: mails become files, the latest last. They hold tokens, so only the owner may read them. */
export function createOutbox(folder: string): Mailer {
  return {
    async send({ id, to, subject, text }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const place = join(folder, `${id}.eml`);
      await write(`${place}.new`, `To: ${to}\r\nSubject: ${subject}\r\n\r\n${text}`);
      await rename(`${place}.new`, place);
    },
  };
}

async function write(path: string, text: string): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/** Credentials and TLS are part of the address: `smtps://user:password@host:465`. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  let transport: ReturnType<typeof connect> | undefined;
  return {
    async send({ id, to, subject, text }) {
      transport ??= connect(url);
      await (await transport).sendMail({ from, to, subject, text, messageId: `<${id}@maitred>` });
    },
  };
}

/** The library is loaded only where mail is sent. */
async function connect(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // Texts come from us, but nothing in them may ever make the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
