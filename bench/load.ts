/**
 * A load generator that costs far less than the server it presses: requests are ready-made bytes, answers are
 * counted by their Content-Length and not looked at otherwise, and all connections read into one buffer.
 */
import { connect, type Socket } from 'node:net';

const READ_BUFFER_BYTES = 256 * 1024;
const HEADERS_END = '\r\n\r\n';

export interface Load {
  host: string;
  port: number;
  connections: number;
  durationMs: number;
  /** It ends sooner once so many requests are sent. */
  most?: number;
  /** The bytes of the next request; the same ones each time, unless every answer must be worked out afresh. */
  nextRequest: () => Buffer;
  /** Told how long each answer took. */
  took?: (ms: number) => void;
}

export interface LoadResult {
  answers: number;
  seconds: number;
}

/** Keeps every connection busy with one request at a time. Fails on the first answer that is not a 200 or 201. */
export async function press(load: Load): Promise<LoadResult> {
  const began = performance.now();
  const until = began + load.durationMs;
  let left = load.most ?? Number.POSITIVE_INFINITY;
  const mayAsk = () => {
    left -= 1;
    return left >= 0 && performance.now() < until;
  };
  const counts = await Promise.all(Array.from({ length: load.connections }, () => keepAsking(load, mayAsk)));
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return { answers, seconds: (performance.now() - began) / 1000 };
}

const sharedBuffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);

function keepAsking(load: Load, mayAsk: () => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    let askedAt = 0;
    const ask = () => {
      askedAt = performance.now();
      socket.write(load.nextRequest());
    };
    const reader = answerReader(() => {
      answers += 1;
      load.took?.(performance.now() - askedAt);
      if (mayAsk()) ask();
      else socket.destroy();
    });
    const socket: Socket = connect({
      host: load.host,
      port: load.port,
      noDelay: true,
      onread: {
        buffer: sharedBuffer,
        callback(length, buffer) {
          try {
            reader(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          } catch (error) {
            socket.destroy(error as Error);
          }
          return true;
        },
      },
    });
    socket.on('connect', () => (mayAsk() ? ask() : socket.destroy()));
    socket.on('error', reject);
    socket.on('close', () => resolve(answers));
  });
}

/** Follows the bytes of one connection and calls back at the end of each answer. */
export function answerReader(
  onAnswer: (status: number) => void,
  expected: readonly number[] = [200, 201],
): (chunk: Buffer) => void {
  let bodyLeft = 0;
  let status = 0;
  let headers = '';
  return (chunk) => {
    let rest = chunk;
    if (bodyLeft === 0) {
      const end = chunk.indexOf(HEADERS_END, 0, 'latin1');
      if (end < 0) {
        headers += chunk.toString('latin1');
        if (headers.includes(HEADERS_END)) throw new Error('The headers of an answer arrived torn.');
        return;
      }
      headers += chunk.toString('latin1', 0, end);
      status = statusOf(headers, expected);
      bodyLeft = contentLengthOf(headers);
      headers = '';
      rest = chunk.subarray(end + HEADERS_END.length);
    }
    bodyLeft -= rest.length;
    if (bodyLeft < 0) throw new Error('An answer is longer than its Content-Length.');
    if (bodyLeft === 0) onAnswer(status);
  };
}

function statusOf(headers: string, expected: readonly number[]): number {
  const status = Number(headers.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  if (!expected.includes(status)) throw new Error(`Not one of ${expected.join(', ')}: ${headers}`);
  return status;
}

function contentLengthOf(headers: string): number {
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(headers) ?? [];
  if (length === undefined) throw new Error(`No Content-Length: ${headers}`);
  return Number(length);
}

/** A GET request as it goes over the wire. */
export function getRequest(path: string, headers: Record<string, string>): Buffer {
  return Buffer.from(headOf('GET', path, headers), 'latin1');
}

/** The same of a POST request with JSON of plain letters. */
export function postRequest(path: string, headers: Record<string, string>, body: object): Buffer {
  const text = JSON.stringify(body);
  const described = { ...headers, 'content-type': 'application/json', 'content-length': String(text.length) };
  return Buffer.from(headOf('POST', path, described) + text, 'latin1');
}

function headOf(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}
