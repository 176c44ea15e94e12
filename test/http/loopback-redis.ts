import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface LoopbackRedis {
  url: string;
  /** How many counting commands have arrived. */
  calls: () => number;
  /** `true`: accepts commands and keeps its answers until it stops hanging. */
  hang: (isHanging: boolean) => void;
  close: () => void;
}

/** The arguments of each whole command in `text`, and what is left of it. */
function readCommands(text: string): { commands: string[][]; rest: string } {
  const commands: string[][] = [];
  let rest = text;
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(rest);
    if (!head) return { commands, rest };
    let at = head[0].length;
    const command: string[] = [];
    for (let i = 0; i < Number(head[1]); i++) {
      const size = /^\$(\d+)\r\n/.exec(rest.slice(at));
      if (!size) return { commands, rest };
      const start = at + size[0].length;
      at = start + Number(size[1]) + 2;
      if (rest.length < at) return { commands, rest };
      command.push(rest.slice(start, at - 2));
    }
    commands.push(command);
    rest = rest.slice(at);
  }
}

/** Speaks as much of Redis as the counter needs: it knows what the script does, not how to run it. */
export async function loopbackRedis(nowMs: () => number): Promise<LoopbackRedis> {
  const counts = new Map<string, { count: number; resetMs: number }>();
  const sockets = new Set<Socket>();
  let calls = 0;
  let isHanging = false;
  let withheld: (() => void)[] = [];

  function answer([name = '', , , key = '', windowMs = '']: string[]): string {
    if (name.toUpperCase() === 'EVALSHA') return '-NOSCRIPT No matching script.\r\n';
    if (name.toUpperCase() !== 'EVAL') return '+OK\r\n';
    const known = counts.get(key);
    const current =
      known && known.resetMs > nowMs() ? known : { count: 0, resetMs: nowMs() + Number(windowMs) };
    current.count++;
    counts.set(key, current);
    const reset = String(current.resetMs);
    return `*2\r\n:${current.count}\r\n$${reset.length}\r\n${reset}\r\n`;
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    let pending = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const { commands, rest } = readCommands(pending + chunk);
      pending = rest;
      for (const command of commands) {
        if (command[0]?.toUpperCase().startsWith('EVAL')) calls++;
        if (isHanging) withheld.push(() => socket.write(answer(command)));
        else socket.write(answer(command));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as { port: number }).port}`,
    calls: () => calls,
    hang: (state) => {
      isHanging = state;
      if (isHanging) return;
      for (const send of withheld) send();
      withheld = [];
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
