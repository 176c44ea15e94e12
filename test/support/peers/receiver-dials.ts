/** Notes every connection that this process tries to open, at the socket itself: below anything that could be fooled. */
import net, { type Socket } from 'node:net';

export interface Dials {
  /** The addresses that were tried, in order. */
  attempts: string[];
  /** Those sockets that nobody has given back. */
  openSockets(): Socket[];
  /** Called with each socket before it is connected. */
  onDial(listener: (socket: Socket) => void): void;
  stop(): void;
}

export function watchDials(): Dials {
  const sockets: Socket[] = [];
  const attempts: string[] = [];
  const listeners: ((socket: Socket) => void)[] = [];
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (this: Socket, ...args: Parameters<Socket['connect']>) {
    sockets.push(this);
    this.on('connectionAttempt', (address) => attempts.push(address));
    for (const listener of listeners) listener(this);
    return connect.apply(this, args);
  } as Socket['connect'];
  return {
    attempts,
    openSockets: () => sockets.filter((socket) => !socket.destroyed),
    onDial: (listener) => listeners.push(listener),
    stop() {
      net.Socket.prototype.connect = connect;
    },
  };
}
