/** Parses and checks the callback address of a subscription. */
import { BlockList, isIP } from 'node:net';

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

/** The name or address to connect to: only in a URL does an IPv6 address have brackets. */
export const dialledHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

/** Escapes that need not be there are resolved, and the others written in one way (RFC 3986, 6.2.2). */
function withPlainEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : escaped.toUpperCase();
  });
}

/** Which addresses are out on the internet, and not on this machine, in its network or nowhere at all. */

type Range = [network: string, prefix: number];

/** IANA's special-purpose registry, and where it has nothing to say a comment does. */
const SPECIAL_IPV4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Machines at Azure are given their settings and secrets here.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** The only part of IPv6 that is given out. Every way to write or to tunnel IPv4, but for two, is outside. */
const GLOBAL_IPV6: Range = ['2000::', 3];

const SPECIAL_IPV6: readonly Range[] = [
  // Teredo, which carries IPv4, and whatever else is assigned to protocols.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 carries IPv4 as well.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  // The test network that was taken down in 2006.
  ['3ffe::', 16],
  ['3fff::', 20],
];

const special = blockListOf('ipv4', SPECIAL_IPV4);
const globalIpv6 = blockListOf('ipv6', [GLOBAL_IPV6]);
const specialIpv6 = blockListOf('ipv6', SPECIAL_IPV6);
const loopback = blockListOf('ipv4', [['127.0.0.0', 8]]);
const loopbackIpv6 = blockListOf('ipv6', [['::1', 128]]);

/** Of an address as a resolver or a socket gives it; one with a zone is of this machine's network alone. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address);
  if (family === 'ipv4') return !special.check(address, family);
  return family === 'ipv6' && globalIpv6.check(address, family) && !specialIpv6.check(address, family);
}

export function isLoopbackAddress(address: string): boolean {
  const family = familyOf(address);
  if (family === 'ipv4') return loopback.check(address, family);
  return family === 'ipv6' && loopbackIpv6.check(address, family);
}

/** Without encryption nothing leaves the machine. */
export function mayDial(address: string, { protocol, allowLoopback }: DialRule): boolean {
  if (allowLoopback && isLoopbackAddress(address)) return true;
  return protocol === 'https:' && isPublicAddress(address);
}

interface DialRule {
  protocol: string;
  allowLoopback: boolean;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

function blockListOf(family: 'ipv4' | 'ipv6', ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}
