import { connect, type Socket } from 'node:net';
import { patience } from '../../support/patience.ts';
import type { Outcome } from './target.ts';

const PATIENCE_MS = patience(10_000);

export interface Conversation {
  socket: Socket;
  /** Everything received so far. */
  received(): string;
  /** Waits until the other side has said something that matches. */
  said(pattern: RegExp): Promise<void>;
  /** Waits until the other side has hung up, and gives back everything it said. */
  ended(): Promise<string>;
}

export function converse(port: number): Conversation {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  // Being cut off is one of the things that are looked for; what was said before tells enough.
  socket.on('error', () => {});

  function until(isDone: () => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        socket.destroy();
        reject(new Error(`The server neither answered nor hung up; it said: ${text.slice(0, 500)}`));
      }, PATIENCE_MS);
      const look = () => {
        if (!isDone()) return;
        clearTimeout(timer);
        resolve(text);
      };
      socket.on('data', look).on('close', look);
      look();
    });
  }

  return {
    socket,
    received: () => text,
    said: async (pattern) => void (await until(() => pattern.test(text) || socket.destroyed)),
    ended: () => until(() => socket.destroyed),
  };
}

/** Sends bytes as they are, and gives back what came until the server hung up. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const { socket, ended } = converse(port);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return ended();
}

/** The answers in what a server said on one connection; each must say how long it is. */
export function answersIn(text: string, isHead = false): Outcome[] {
  const answers: Outcome[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(`This is no answer: ${rest.slice(0, 300)}`);
    const headers = Object.fromEntries(
      lines.map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.toLowerCase(), value.join(':').trim()];
      }),
    );
    const hasBody = status >= 200 && status !== 204 && status !== 304 && !isHead;
    const length = hasBody ? Number(headers['content-length']) : 0;
    if (Number.isNaN(length)) throw new Error(`An answer without its length: ${rest.slice(0, 300)}`);
    answers.push({ status, headers, text: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
