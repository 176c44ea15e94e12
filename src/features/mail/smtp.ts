import type { Mailer } from './mailer.ts';

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
