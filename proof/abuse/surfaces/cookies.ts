/** Sessions in cookies, as a browser sends them unasked: with pages of ours, and with pages of others. */
import type { Caller } from '../callers.ts';
import { type Asking, addressOf } from '../requests/addresses.ts';
import { bodyFor } from '../requests/bodies.ts';
import { type Probe, type ProbeSetting, refusalCode, type Surface, withBody } from './probe.ts';

/** Where a request comes from, as a browser says it, and whether that is a page of ours. */
const ORIGINS: { headers: Record<string, string>; isOurs: boolean }[] = [
  { headers: { 'sec-fetch-site': 'same-origin' }, isOurs: true },
  { headers: {}, isOurs: false },
  { headers: { origin: 'https://evil.example' }, isOurs: false },
  { headers: { origin: 'null' }, isOurs: false },
  { headers: { origin: '' }, isOurs: false },
  { headers: { 'sec-fetch-site': 'cross-site' }, isOurs: false },
  { headers: { 'sec-fetch-site': 'same-site' }, isOurs: false },
  { headers: { 'sec-fetch-site': 'none' }, isOurs: false },
  { headers: { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1' }, isOurs: false },
  { headers: { origin: 'http://127.0.0.1.evil.example' }, isOurs: false },
];

const PREFIX = 'Bearer mts_';
/** These end sessions, or lock people out. */
const ISOLATED = /sessions|account\/password|users\/|invites/;

export const cookieSurface: Surface = {
  next(setting) {
    const { chances, operations } = setting;
    const people = setting.callers.filter(({ headers }) => headers.authorization?.startsWith(PREFIX));
    const person = chances.pick(people);
    const open = operations.filter(
      ({ path, isPublic }) => path.startsWith('/manage') && !isPublic && !ISOLATED.test(path),
    );
    const operation = chances.pick(open);
    const origin = chances.pick(ORIGINS);
    const isRead = operation.method === 'GET';
    const token = person.headers.authorization?.slice('Bearer '.length) ?? '';
    const isTwice = chances.happens(0.1);
    const cookie = `${isTwice ? `__Host-maitred=${token}; ` : ''}theme=dark; __Host-maitred=${token}`;
    const caller: Caller = { ...person, headers: { cookie, ...origin.headers } };
    return {
      name: 'session by cookie',
      caller: { ...person, name: `${person.name}, by cookie` },
      wire: wireFor(setting, { ...setting, operation, caller }),
      isGood: origin.isOurs,
      faultsIn(outcome) {
        const { status } = outcome;
        if (isTwice) return status === 401 ? [] : [`answers ${status} to two cookies`];
        if (isRead || origin.isOurs) return [];
        return refusalCode(outcome) === 'USER-N-016'
          ? []
          : [`answers ${status} ${refusalCode(outcome)} to a write from a page of others`];
      },
    } satisfies Probe;
  },
};

function wireFor({ receiverUrl }: ProbeSetting, asking: Asking): Probe['wire'] {
  const { operation, caller } = asking;
  const address = addressOf(asking, false);
  const [type] = operation.bodyTypes;
  const example = type === 'application/json' ? bodyFor({ asking, address, receiverUrl }) : undefined;
  const sent = example === undefined ? undefined : withBody(example);
  return {
    method: operation.method,
    path: address.encoded,
    headers: { ...sent?.headers, ...caller.headers },
    body: sent?.body,
  };
}
