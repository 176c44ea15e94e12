/** Screens that follow a diary, as far as a benchmark needs them: when did each see a change? */
import { type ClientRequest, request } from 'node:http';

export interface Screens {
  /** Settles when all of them have seen the text; how long each took, in milliseconds. */
  see(text: string, change: () => Promise<void>): Promise<number[]>;
  close(): void;
}

const PATIENCE_MS = 10_000;

export async function openScreens(
  address: URL,
  path: string,
  headers: Record<string, string>,
  count: number,
): Promise<Screens> {
  let wanted = Buffer.from('no such text');
  let onSeen: (screen: number) => void = () => {};
  const requests: ClientRequest[] = [];

  function open(screen: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const asked = request(new URL(path, address), { headers, agent: false }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`A stream was answered ${response.statusCode}.`));
        let isOpen = false;
        response.on('data', (chunk: Buffer) => {
          // The position comes when the screen has joined.
          if (!isOpen && chunk.includes('id: ')) {
            isOpen = true;
            resolve();
          }
          if (chunk.includes(wanted)) onSeen(screen);
        });
      });
      asked.on('error', reject);
      asked.end();
      requests.push(asked);
    });
  }

  await Promise.all(Array.from({ length: count }, (_, screen) => open(screen)));
  return {
    async see(text, change) {
      const all = Promise.withResolvers<void>();
      const tookMs: number[] = [];
      wanted = Buffer.from(text);
      const beganMs = performance.now();
      onSeen = () => {
        tookMs.push(performance.now() - beganMs);
        if (tookMs.length === count) all.resolve();
      };
      const timer = setTimeout(
        () => all.reject(new Error(`${tookMs.length} of ${count} saw it.`)),
        PATIENCE_MS,
      );
      await Promise.all([change(), all.promise]);
      clearTimeout(timer);
      return tookMs;
    },
    close() {
      for (const asked of requests) asked.destroy();
    },
  };
}
