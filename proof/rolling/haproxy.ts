/** Debian's haproxy with `deploy/haproxy.cfg` in front of three nodes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { CERTIFICATE, PRIVATE_KEY } from '../../test/support/peers/receiver-certificate.ts';

const PROGRAM = '/usr/sbin/haproxy';
const CONFIGURATION = join(import.meta.dirname, '..', '..', 'deploy', 'haproxy.cfg');
export const isInstalled = () => existsSync(PROGRAM);

export interface Proxy {
  /** Settles when all nodes get calls. */
  untilAllUp(): Promise<void>;
  /** Gives a node no more calls, for versions that do not drain by themselves; the first is 1. */
  drain(node: number): Promise<void>;
  /** Gives it calls again once it is ready. */
  release(node: number): Promise<void>;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  folder: string;
  /** Where it redirects to `https`. */
  plainPort: number;
  port: number;
  nodePorts: readonly [number, number, number];
  /** How often it tries another node where a connection fails; undefined is what the file says. */
  retries: number | undefined;
}

export function startProxy({ folder, plainPort, port, nodePorts, retries }: ProxyOptions): Proxy {
  const certificate = join(folder, 'site.pem');
  writeFileSync(certificate, CERTIFICATE + PRIVATE_KEY);
  // The file has two nodes: a third is added as its reader would, with one more line after each second.
  const configuration = join(folder, 'haproxy.cfg');
  const text = readFileSync(CONFIGURATION, 'utf8');
  const third = `    server api-3 127.0.0.1:${nodePorts[2]}`;
  const socket = join(folder, 'haproxy.sock');
  const withThird = text.replaceAll(/^ +server api-2 .*$/gm, `$&\n${third}`);
  writeFileSync(
    configuration,
    withThird.replace(/^global$/m, `global\n    stats socket ${socket} level admin`),
  );
  const setState = async (node: number, state: string) => {
    for (const backend of ['api', 'api_any']) {
      const admin = connect(socket);
      admin.end(`set server ${backend}/api-${node} state ${state}\n`);
      admin.resume();
      await once(admin, 'close');
    }
  };
  const child = spawn(PROGRAM, ['-db', '-f', configuration], {
    env: {
      BIND_HTTP: `127.0.0.1:${plainPort}`,
      BIND_HTTPS: `127.0.0.1:${port}`,
      CERTIFICATES: certificate,
      API_1: `127.0.0.1:${nodePorts[0]}`,
      API_2: `127.0.0.1:${nodePorts[1]}`,
      ...(retries !== undefined && { RETRIES: String(retries) }),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  // Nodes count as up until the proxy says otherwise.
  const down = new Set<string>();
  createInterface(child.stdout).on('line', (line) => {
    const [, name, state] = /^Server api\/(\S+) is (UP|DOWN)/.exec(line) ?? [];
    if (name && state === 'DOWN') down.add(name);
    if (name && state === 'UP') down.delete(name);
  });
  return {
    async untilAllUp() {
      do {
        await sleep(100);
        if (child.exitCode !== null) throw new Error(`haproxy has ended with ${child.exitCode}.`);
      } while (down.size > 0);
    },
    drain: (node) => setState(node, 'drain'),
    release: (node) => setState(node, 'ready'),
    async stop() {
      process.off('exit', kill);
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
