import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Counter } from 'prom-client';
import type { App } from './route.ts';

export const STALLED_AFTER_MS = 15_000;
/** A stall is noticed at most a fifteenth of the limit late. */
const LOOKS = 15;

/** Node shows what the kernel has taken of a write nowhere else; `bytesWritten` of a socket counts what waits, too. */
interface SocketHandle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

interface Progress {
  sentBytes: number;
  sinceMs: number;
}

/**
 * Closes connections whose peer has not taken a byte of an answer for `stalledAfterMs`: what waits for it is memory.
 * Only unsent bytes count, so a request that takes long to answer keeps its connection. Looking at all connections now
 * and then costs requests nothing, where a timer of each socket would be wound up with every read and write.
 */
export function closeStalledSockets(app: App, stalledAfterMs: number): Counter {
  const closed = new Counter({
    name: 'http_stalled_connections_closed_total',
    help: 'Connections closed because their peer had stopped reading.',
    registers: [],
  });
  const sockets = openSockets(app.server);
  const progress = new WeakMap<Socket, Progress>();

  function look(): void {
    const nowMs = performance.now();
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        progress.delete(socket);
        continue;
      }
      const sentBytes = sentBytesOf(socket);
      const known = progress.get(socket);
      if (known?.sentBytes !== sentBytes) progress.set(socket, { sentBytes, sinceMs: nowMs });
      else if (nowMs - known.sinceMs >= stalledAfterMs) {
        closed.inc();
        // A mere end would leave what the kernel holds there until the peer reads it.
        socket.resetAndDestroy();
      }
    }
  }

  const timer = setInterval(look, stalledAfterMs / LOOKS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return closed;
}

function openSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

function sentBytesOf(socket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 } = (socket as { _handle?: SocketHandle })._handle ?? {};
  return bytesWritten - writeQueueSize;
}
