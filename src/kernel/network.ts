import { type AddressInfo, createServer, isIPv6 } from 'node:net';

/** A caller with one IPv6 address has its whole /64 and could guess from each; an IPv4 address stands for itself. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const groups = head.split(':').filter(Boolean);
  const rest = tail?.split(':').filter(Boolean) ?? [];
  // A `::` stands for as many zeros as are missing from eight groups.
  while (tail !== undefined && groups.length + rest.length < 8) groups.push('0');
  const network = [...groups, ...rest].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}

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

/** Codes of errors after which a request was never sent: its connection was never made. */
export const NEVER_SENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];
