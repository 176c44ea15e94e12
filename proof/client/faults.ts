/** What is done to the first attempt of a call, by the node itself (`X-Sandbox-Fault`) or by a proxy in front of it. */
import type { Fault as ProxyFault } from '../../test/support/databases/faulty-proxy.ts';

export interface Fault {
  name: string;
  /** What happens, for the report. */
  what: string;
  /** The header, for a booking and for its cancellation. */
  header?: { booking: string; cancel: string };
  proxy?: (expiredToken: string) => ProxyFault;
}

const both = (header: string) => ({ booking: header, cancel: header });
const system = (fault: string) => ({ booking: `booking=${fault}`, cancel: `cancel=${fault}` });

export const FAULTS: readonly Fault[] = [
  {
    name: 'token ended',
    what: 'the token that reaches the node ended an hour ago: 401',
    proxy: (token) => ({ token }),
  },
  {
    name: '429',
    what: 'too many calls: 429 with `Retry-After`, nothing done',
    header: both('answer=RATE-R-001'),
  },
  {
    name: '503, node',
    what: 'an overloaded node: 503, nothing done',
    header: both('answer=HTTP-R-503'),
  },
  {
    name: '503, system',
    what: 'the system of the venue is out of order: 503, nothing done',
    header: system('unavailable'),
  },
  {
    name: '503, done',
    what: 'done, but the node cannot tell: 503 with `isOutcomeKnown: false`',
    header: system('unknown-applied'),
  },
  {
    name: '503, not done',
    what: 'not done, and the node cannot tell: 503',
    header: system('unknown-not-applied'),
  },
  {
    name: 'cut before',
    what: 'the connection breaks when the request has arrived, nothing done',
    header: both('connection=cut-before'),
  },
  {
    name: 'cut after',
    what: 'the connection breaks when everything is done, before the answer',
    header: both('connection=cut'),
  },
  {
    name: 'cut in the middle',
    what: 'the connection breaks in the middle of the answer',
    proxy: () => ({ cut: 'middle' }),
  },
];
