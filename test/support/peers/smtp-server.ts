import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface ReceivedMail {
  from: string;
  to: string;
  /** Headers and text, as they were sent. */
  data: string;
}

export interface SmtpServer {
  url: string;
  received: ReceivedMail[];
  /** What it says to the next mails instead of taking them, such as `451 Try later`. */
  refusals: string[];
  close(): Promise<void>;
}

/** A mail server on loopback that takes everything, or misbehaves on request. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  const refusals: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    converse(socket, received, refusals).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refusals,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function converse(socket: Socket, received: ReceivedMail[], refusals: string[]): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 loopback');
  let mail: ReceivedMail = { from: '', to: '', data: '' };
  let isData = false;
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (isData) {
      if (line !== '.') mail.data += `${line}\n`;
      else {
        isData = false;
        received.push(mail);
        mail = { from: '', to: '', data: '' };
        say('250 Taken');
      }
    } else if (/^(EHLO|HELO)/i.test(line)) say('250 loopback');
    else if (/^MAIL/i.test(line)) {
      mail.from = /<(.*?)>/.exec(line)?.[1] ?? '';
      say(refusals.shift() ?? '250 Go on');
    } else if (/^RCPT/i.test(line)) {
      mail.to = /<(.*?)>/.exec(line)?.[1] ?? '';
      say('250 Go on');
    } else if (/^DATA/i.test(line)) {
      isData = true;
      say('354 Go ahead');
    } else if (/^QUIT/i.test(line)) {
      say('221 Bye');
      socket.end();
    } else say('250 As you like');
  }
}
