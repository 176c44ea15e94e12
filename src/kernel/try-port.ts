import { type AddressInfo, createServer } from 'node:net';

/** The port, tried by listening on it for a moment; for 0, one that is free now. Rejects as listening would. */
export function tryPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(port, host, () => {
      const { port: chosen } = probe.address() as AddressInfo;
      probe.close(() => resolve(chosen));
    });
  });
}
