/** Debian's haproxy in front of nodes, with a configuration of our own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryPort } from '../../src/kernel/network.ts';

const PROGRAM = '/usr/sbin/haproxy';
export const isInstalled = () => existsSync(PROGRAM);

/** How often readiness is looked at, how long that may take, and after how many failures a node is taken out. */
export const CHECK_SECONDS = 1;
export const CHECK_LIMIT_SECONDS = 3;
export const FAILURES = 2;

export interface Proxy {
  address: string;
  /** Settles when all nodes get calls. */
  untilAllUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  folder: string;
  port: number;
  nodePorts: readonly number[];
  /** How often it tries another node where a connection fails. */
  retries: number;
}

export async function startProxy({ folder, port, nodePorts, retries }: ProxyOptions): Promise<Proxy> {
  const statsPort = await tryPort('127.0.0.1', 0);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, statsPort, nodePorts, retries));
  const child = spawn(PROGRAM, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    address: `http://127.0.0.1:${port}`,
    async untilAllUp() {
      while (!(await isAllUp(statsPort, nodePorts.length, child))) await sleep(100);
    },
    async stop() {
      process.off('exit', kill);
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

const configuration = (port: number, statsPort: number, nodePorts: readonly number[], retries: number) => `
global
  maxconn 2000
defaults
  mode http
  option httpchk GET /health/ready
  http-check expect status 200
  timeout check ${CHECK_LIMIT_SECONDS}s
  timeout connect 2s
  timeout client 75s
  timeout server 35s
  timeout http-keep-alive 60s
  retries ${retries}
frontend partners
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  default-server check inter ${CHECK_SECONDS}s fall ${FAILURES} rise 1
${nodePorts.map((nodePort, index) => `  server node${index + 1} 127.0.0.1:${nodePort}`).join('\n')}
frontend stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`;

async function isAllUp(statsPort: number, nodes: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`haproxy has ended with ${child.exitCode}.`);
  const answer = await fetch(`http://127.0.0.1:${statsPort}/;csv`).catch(() => undefined);
  const text = (await answer?.text()) ?? '';
  return [...text.matchAll(/^nodes,node\d+,.*,UP,/gm)].length === nodes;
}
