/** Which addresses are out on the internet, and not on this machine, in its network or nowhere at all. */
import { BlockList, isIP } from 'node:net';

/** The name or address to connect to: only in a URL does an IPv6 address have brackets. */
export const dialledHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

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

/** Which addresses may be connected to. */
export interface Reach {
  allowLoopback: boolean;
  /** Nothing but this machine, as in the sandbox. */
  isLoopbackOnly?: boolean;
}

/** Without encryption nothing leaves the machine. */
export function mayDial(
  address: string,
  { protocol, allowLoopback, isLoopbackOnly = false }: Reach & { protocol: string },
): boolean {
  if (allowLoopback && isLoopbackAddress(address)) return true;
  return !isLoopbackOnly && protocol === 'https:' && isPublicAddress(address);
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
