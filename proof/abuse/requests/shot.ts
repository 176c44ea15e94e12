/** One request: who asks for what, and what is wrong with it. */

import type { WireRequest } from '../wire.ts';
import { type Address, type Asking, addressOf } from './addresses.ts';
import { bodyFor, type Surroundings } from './bodies.ts';
import { bent, type SentBody, spoilt, written } from './mutations.ts';
import { headersFor, queryFor } from './queries.ts';

export interface Shot {
  asking: Asking;
  address: Address;
  wire: WireRequest;
  /** Nothing about it was meant to be wrong. */
  isGood: boolean;
  /** It is one of a story, which was meant to go on with it. */
  isStep?: boolean;
}

/** Of all requests; the rest has one thing wrong with it, or two. */
const GOOD_SHARE = 0.45;

/** Of everything that a list has, as much as fits on a page. */
export function look(asking: Asking): Shot {
  const { operation, caller } = asking;
  const address = addressOf(asking, false);
  const isPaged = operation.parameters.some(({ name }) => name === 'pageSize');
  const path = `${address.encoded}${isPaged ? '?pageSize=100' : ''}`;
  const wire = { method: operation.method, path, headers: caller.headers };
  return { asking, address, isGood: true, wire };
}

export function aim(asking: Asking, receiverUrl: string): Shot {
  const { chances, operation, caller } = asking;
  const isGood = chances.happens(GOOD_SHARE);
  const isWrong = (share: number) => !isGood && chances.happens(share);
  const address = addressOf(asking, isWrong(0.3));
  const query = queryFor(asking, isWrong(0.4));
  const headers = headersFor(asking, isWrong(0.25));
  const body = bodyOf({ asking, address, receiverUrl }, isWrong);
  return {
    asking,
    address,
    isGood,
    wire: {
      method: operation.method,
      path: `${address.encoded}${query}`,
      headers: {
        ...headers,
        ...caller.headers,
        ...(body && { 'content-type': body.type }),
        ...(body?.encoding && { 'content-encoding': body.encoding }),
      },
      body: body?.bytes,
    },
  };
}

function bodyOf(surroundings: Surroundings, isWrong: (share: number) => boolean): SentBody | undefined {
  const { chances, operation } = surroundings.asking;
  const [type] = operation.bodyTypes;
  if (type === undefined) {
    const isSent = !['GET', 'HEAD', 'TRACE', 'OPTIONS'].includes(operation.method) && isWrong(0.15);
    return isSent ? spoilt(chances, written(chances, {}, 'application/json')) : undefined;
  }
  if (type === 'application/octet-stream') return { type, bytes: Buffer.alloc(1 + chances.below(3000), 7) };
  const value = bodyFor(surroundings);
  const body = written(chances, isWrong(0.7) ? bent(chances, value) : value, 'application/json');
  return isWrong(0.25) ? spoilt(chances, body) : body;
}
