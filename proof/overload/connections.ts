import { connect, type Socket } from 'node:net';
import { answerReader } from '../../bench/load.ts';

const READ_BUFFER_BYTES = 256 * 1024;
const STATUSES = [200, 201, 429, 503];

export interface Sent {
  /** When the schedule wanted it sent; milliseconds of this process's clock. */
  dueMs: number;
  sentMs: number;
}

export type OnAnswer = (sent: Sent, status: number, nowMs: number) => void;

export interface Connections {
  /** Sends a request at once on a free connection, else as soon as one is free; the waiting counts from `dueMs`. */
  send(dueMs: number): void;
  /** Requests that wait for a connection or for their answer. */
  open(): number;
  onAnswer: OnAnswer;
  close(): void;
}

/** Connections that stay open, one request at a time on each, all reading into one buffer. */
export async function openConnections(
  address: URL,
  count: number,
  nextRequest: () => Buffer,
): Promise<Connections> {
  const buffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);
  const free: Line[] = [];
  // Of what waits only the time is kept: tens of thousands of requests would stop this process to be collected.
  const waiting: number[] = [];
  // Taking from the front of an array of a hundred thousand would cost more than sending.
  let served = 0;
  let underWay = 0;
  const connections: Connections = {
    send(dueMs) {
      const line = free.pop();
      if (line) sendOn(line, dueMs);
      else waiting.push(dueMs);
    },
    open: () => underWay + waiting.length - served,
    onAnswer: () => {},
    close: () => lines.forEach(({ socket }) => void socket.destroy()),
  };

  function sendOn(line: Line, dueMs: number): void {
    const request = nextRequest();
    line.sent = { dueMs, sentMs: performance.now() };
    underWay += 1;
    line.socket.write(request);
  }

  function answered(line: Line, status: number): void {
    underWay -= 1;
    connections.onAnswer(line.sent, status, performance.now());
    const dueMs = waiting[served];
    if (dueMs !== undefined) {
      served += 1;
      sendOn(line, dueMs);
    } else {
      waiting.length = 0;
      served = 0;
      free.push(line);
    }
  }

  const lines = await Promise.all(Array.from({ length: count }, () => openLine(address, buffer, answered)));
  free.push(...lines);
  return connections;
}

interface Line {
  socket: Socket;
  sent: Sent;
}

function openLine(
  { hostname: host, port }: URL,
  buffer: Buffer,
  answered: (line: Line, status: number) => void,
): Promise<Line> {
  const read = answerReader((status) => answered(line, status), STATUSES);
  const callback = (length: number, bytes: Uint8Array) => {
    read(Buffer.from(bytes.buffer, bytes.byteOffset, length));
    return true;
  };
  const socket = connect({ host, port: Number(port), noDelay: true, onread: { buffer, callback } });
  const line: Line = { socket, sent: { dueMs: 0, sentMs: 0 } };
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(line));
    socket.once('error', reject);
  });
}
