/** Sixty-four clients that each send twenty requests, all at once: how long the slowest hundredth had to wait. */
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';

const CLIENTS = 64;
const ATTEMPTS = 20;

export interface Sent {
  method: 'GET' | 'POST';
  path: string;
  headers: OutgoingHttpHeaders;
  body?: string;
}

export interface Storm {
  p99Ms: number;
  /** How often each status came. */
  statuses: Record<number, number>;
}

export async function storm(address: URL, nextRequest: () => Sent): Promise<Storm> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const statuses: Record<number, number> = {};
  const durations: number[] = [];
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const began = performance.now();
        const status = await statusOf(agent, address, nextRequest());
        durations.push(performance.now() - began);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  agent.destroy();
  const sorted = durations.toSorted((a, b) => a - b);
  return { p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN, statuses };
}

function statusOf(agent: Agent, address: URL, { method, path, headers, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, address), { agent, method, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
