/** Parses and checks the callback address of a subscription. */
import { isIP } from 'node:net';
import { dialledHost, mayDial } from '../../../kernel/addresses.ts';
import { findObstacle, type SafeConnectorOptions } from '../../../kernel/safe-connector.ts';

/** What the unique index over addresses can hold with certainty. */
const MAX_LENGTH = 2_048;

/** The characters of a URI (RFC 3986) without `#`: a fragment is never sent. */
const CALLBACK = /^https?:\/\/([\w.:[\]-]+)([/?][\w\-.~:/?@!$&'()*+,;=%[\]]*)?$/i;

export interface CallbackUrl {
  /** As it was given. */
  url: string;
  /** The same however it was spelt. */
  address: string;
}

/**
 * Undefined when it is nothing that we would ever post to. Parsers of addresses are lenient, and no two in the same
 * way, so a host has to be written just as it is understood: no numbers that turn out to be an IPv4 address, no
 * credentials, no escapes, no dot at the end.
 */
export function readCallbackUrl(
  text: string,
  { allowLoopback }: { allowLoopback: boolean },
): CallbackUrl | undefined {
  const authority = CALLBACK.exec(text)?.[1]?.toLowerCase();
  const url = URL.parse(text);
  if (!authority || !url || url.port === '0' || url.hostname.endsWith('.')) return undefined;
  const { protocol, host } = url;
  const defaultPort = protocol === 'https:' ? ':443' : ':80';
  if (authority !== host && authority !== host + defaultPort) return undefined;
  if (protocol !== 'https:' && !allowLoopback) return undefined;
  const hostname = dialledHost(url);
  if (isIP(hostname) && !mayDial(hostname, { protocol, allowLoopback })) return undefined;
  const address = url.origin + withPlainEscapes(url.pathname + url.search);
  return address.length > MAX_LENGTH ? undefined : { url: text, address };
}

/** Escapes that need not be there are resolved, and the others written in one way (RFC 3986, 6.2.2). */
function withPlainEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : escaped.toUpperCase();
  });
}

/** Whether something could be posted there at this moment. */
export async function reaches(callbackUrl: string, options: SafeConnectorOptions): Promise<boolean> {
  if (!readCallbackUrl(callbackUrl, options)) return false;
  return (await findObstacle(new URL(callbackUrl), options)) === undefined;
}
