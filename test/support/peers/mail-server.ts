/** A real mail server on loopback (`smtp-server`), which misbehaves on request. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export interface ReceivedMessage {
  from: string;
  to: string[];
  /** As it was sent. */
  raw: string;
  headers: Map<string, string>;
  parts: MimePart[];
}

export interface MimePart {
  type: string;
  headers: Map<string, string>;
  content: string;
}

/** What it does with a mail: takes it, says no, hangs up after it has the data, or takes its time. */
export type Conduct =
  | { at: 'RCPT' | 'DATA'; refuse: number }
  | { at: 'DATA'; hangUp: true }
  | { at: 'DATA'; afterMs: number };

export interface MailServer {
  url: string;
  received: ReceivedMessage[];
  /** For the next mails, in this order; afterwards everything is taken. */
  conduct: Conduct[];
  /** The most connections and mails that were under way at a time. */
  most: { connections: number; mails: number };
  close(): Promise<void>;
}

/** `port`: of one that was closed before, and is back. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: ReceivedMessage[] = [];
  const conduct: Conduct[] = [];
  const most = { connections: 0, mails: 0 };
  let open = 0;
  let underWay = 0;
  const chosen = new Map<string, Conduct | undefined>();
  const refusal = (code: number) => Object.assign(new Error('Not this one'), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 2000,
    onConnect(_session, done) {
      open += 1;
      most.connections = Math.max(most.connections, open);
      done();
    },
    onClose() {
      open -= 1;
    },
    onMailFrom(_address, session, done) {
      chosen.set(session.id, conduct.shift());
      done();
    },
    onRcptTo(_address, session, done) {
      const now = chosen.get(session.id);
      done(now?.at === 'RCPT' ? refusal(now.refuse) : null);
    },
    async onData(stream, session, done) {
      underWay += 1;
      most.mails = Math.max(most.mails, underWay);
      const chunks = await Array.fromAsync(stream as AsyncIterable<Buffer>).catch(() => undefined);
      // The sender died before it had sent everything: no mail server takes that for a mail.
      if (!chunks) {
        underWay -= 1;
        return done(refusal(451));
      }
      const raw = Buffer.concat(chunks).toString();
      const now = chosen.get(session.id);
      if (now && 'afterMs' in now) await new Promise((resolve) => setTimeout(resolve, now.afterMs));
      underWay -= 1;
      if (now && 'refuse' in now) return done(refusal(now.refuse));
      received.push(messageOf(raw, session));
      if (now && 'hangUp' in now) return socketOf(server, session)?.destroy();
      done();
    },
  });
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: listening } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${listening}`,
    received,
    conduct,
    most,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function socketOf(server: SMTPServer, { id }: SMTPServerSession): { destroy(): void } | undefined {
  const { connections } = server as unknown as {
    connections: Set<{ id: string; _socket: { destroy(): void } }>;
  };
  return [...connections].find((connection) => connection.id === id)?._socket;
}

function messageOf(raw: string, { envelope }: SMTPServerSession): ReceivedMessage {
  const { headers, parts } = read(raw);
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  return { from, to: envelope.rcptTo.map(({ address }) => address), raw, headers, parts };
}

/** Headers by their names in small letters, and every part that is not made of parts. */
function read(raw: string): { headers: Map<string, string>; parts: MimePart[] } {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );
  const type = headers.get('content-type') ?? 'text/plain';
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (boundary === undefined) return { headers, parts: [{ type, headers, content: decoded(headers, body) }] };
  const inner = body.split(`--${boundary}`).slice(1, -1);
  return {
    headers,
    parts: inner.flatMap((part) => read(part.replace(/^\r\n/, '').replace(/\r\n$/, '')).parts),
  };
}

function decoded(headers: Map<string, string>, body: string): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
