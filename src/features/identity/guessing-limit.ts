import type { Clock } from '../../kernel/clock.ts';
import { networkOf } from '../../kernel/network.ts';

const WINDOW_MS = 60_000;
const MAX_PER_CLIENT = 10;
const MAX_PER_NETWORK = 100;
const MAX_WINDOWS = 20_000;
const MAX_CLIENT_ID_LENGTH = 100;

interface Window {
  endsAtMs: number;
  failures: number;
}

export interface GuessingLimit {
  /** How long this client must wait at this address, or undefined when it need not. */
  findWaitSeconds(remoteAddress: string, clientId: string): number | undefined;
  recordFailure(remoteAddress: string, clientId: string): void;
}

/** Counts failed attempts in fixed windows of a minute, per client at an address and per address, on this node. */
export function createGuessingLimit(clock: Clock): GuessingLimit {
  const windows = new Map<string, Window>();

  function findWindow(key: string): Window | undefined {
    const window = windows.get(key);
    return window && clock().epochMilliseconds < window.endsAtMs ? window : undefined;
  }

  function count(key: string) {
    const window = findWindow(key) ?? { endsAtMs: clock().epochMilliseconds + WINDOW_MS, failures: 0 };
    window.failures++;
    // Re-entered at the end, so that the first window is the one that nobody has touched for longest.
    windows.delete(key);
    windows.set(key, window);
    if (windows.size <= MAX_WINDOWS) return;
    const oldest = windows.keys().next();
    if (!oldest.done) windows.delete(oldest.value);
  }

  function keysOf(remoteAddress: string, clientId: string): [network: string, client: string] {
    const network = networkOf(remoteAddress);
    return [network, `${network} ${clientId.slice(0, MAX_CLIENT_ID_LENGTH)}`];
  }

  function findWaitSeconds(remoteAddress: string, clientId: string): number | undefined {
    const [network, client] = keysOf(remoteAddress, clientId);
    const full = [
      { window: findWindow(network), limit: MAX_PER_NETWORK },
      { window: findWindow(client), limit: MAX_PER_CLIENT },
    ].flatMap(({ window, limit }) => (window && window.failures >= limit ? [window] : []));
    if (full.length === 0) return undefined;
    const endsAtMs = Math.max(...full.map((window) => window.endsAtMs));
    return Math.max(1, Math.ceil((endsAtMs - clock().epochMilliseconds) / 1000));
  }

  function recordFailure(remoteAddress: string, clientId: string): void {
    for (const key of keysOf(remoteAddress, clientId)) count(key);
  }

  return { findWaitSeconds, recordFailure };
}
