import type { FromServer, ToServer } from './server-process.ts';

export interface Served {
  address: string;
  stop(): Promise<void>;
}

/** The other end of `startServer`: what a process under load does besides serving. */
export async function serve(start: (setup: unknown) => Promise<Served>): Promise<void> {
  let served: Served | undefined;
  const stop = async () => {
    await served?.stop();
    process.exit(0);
  };
  process.on('message', async (message: ToServer) => {
    if ('setup' in message) {
      served = await start(message.setup);
      tell({ listening: served.address });
    } else if ('question' in message) {
      const { user, system } = process.cpuUsage();
      tell({ cpuMicroseconds: user + system, rssBytes: process.memoryUsage.rss() });
    } else {
      await stop();
    }
  });
  // Nobody is left to say stop.
  process.on('disconnect', () => void stop());
}

function tell(message: FromServer): void {
  process.send?.(message);
}
