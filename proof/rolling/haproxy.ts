/** Debian's haproxy with `deploy/haproxy.cfg` in front of two nodes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { CERTIFICATE, PRIVATE_KEY } from '../../test/support/receiver-certificate.ts';

const PROGRAM = '/usr/sbin/haproxy';
const CONFIGURATION = join(import.meta.dirname, '..', '..', 'deploy', 'haproxy.cfg');
export const isInstalled = () => existsSync(PROGRAM);

export interface Proxy {
  /** Settles when all nodes get calls. */
  untilAllUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  folder: string;
  /** Where it redirects to `https`. */
  plainPort: number;
  port: number;
  nodePorts: readonly [number, number];
  /** How often it tries another node where a connection fails; undefined is what the file says. */
  retries: number | undefined;
}

export function startProxy({ folder, plainPort, port, nodePorts, retries }: ProxyOptions): Proxy {
  const certificate = join(folder, 'site.pem');
  writeFileSync(certificate, CERTIFICATE + PRIVATE_KEY);
  const child = spawn(PROGRAM, ['-db', '-f', CONFIGURATION], {
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
    async stop() {
      process.off('exit', kill);
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
