import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** A server under load has a process of its own, so that the load generator does not take time from it. */
export interface ServerProcess {
  address: URL;
  /** Processor time that the process has used so far, all its threads together. */
  cpuMicroseconds(): Promise<number>;
  /** The memory that the process has now. */
  rssBytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  env?: Record<string, string>;
  /** Where its standard output goes: log lines are written as they are in production. */
  logFile: string;
  /** Flags for Node, for example those of the profiler. */
  nodeFlags?: readonly string[];
  /** Sent before it listens. */
  setup?: unknown;
}

/** What the file it runs sends back; see `serve`. */
export type FromServer = { listening: string } | { cpuMicroseconds: number; rssBytes: number };
export type ToServer = { setup: unknown } | { question: 'cpu' } | { command: 'stop' };

export async function startServer(file: string, options: ServerOptions): Promise<ServerProcess> {
  const log = openSync(options.logFile, 'a');
  const child = fork(join(import.meta.dirname, file), {
    stdio: ['ignore', log, 'inherit', 'ipc'],
    serialization: 'advanced',
    execArgv: [...(options.nodeFlags ?? [])],
    env: { ...process.env, ...options.env },
  });
  closeSync(log);
  child.send({ setup: options.setup } satisfies ToServer);
  const listening = await answerOf(child, (message) =>
    'listening' in message ? message.listening : undefined,
  );
  return {
    address: new URL(listening),
    cpuMicroseconds() {
      child.send({ question: 'cpu' } satisfies ToServer);
      return answerOf(child, (message) =>
        'cpuMicroseconds' in message ? message.cpuMicroseconds : undefined,
      );
    },
    rssBytes() {
      child.send({ question: 'cpu' } satisfies ToServer);
      return answerOf(child, (message) => ('rssBytes' in message ? message.rssBytes : undefined));
    },
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.send({ command: 'stop' } satisfies ToServer);
      await exited;
    },
  };
}

function answerOf<T>(child: ChildProcess, read: (message: FromServer) => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      const value = read(message as FromServer);
      if (value === undefined) return;
      settle();
      resolve(value);
    };
    const onExit = (code: number | null) => {
      settle();
      reject(new Error(`The server under load ended by itself (${code}).`));
    };
    const settle = () => child.off('message', onMessage).off('exit', onExit);
    child.on('message', onMessage).on('exit', onExit);
  });
}
