import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Caller, demoCallers } from '../../proof/abuse/callers.ts';
import { chancesFrom } from '../../proof/abuse/chances.ts';
import { type Operation, readOperations } from '../../proof/abuse/document.ts';
import { createKnown } from '../../proof/abuse/known.ts';
import type { Asking } from '../../proof/abuse/requests/addresses.ts';
import { aim } from '../../proof/abuse/requests/shot.ts';
import type { WireRequest } from '../../proof/abuse/wire.ts';
import { repeats } from '../support/repeats.ts';
import {
  assertRateHeaders,
  assertSound,
  assertStatusOfCode,
  codeIn,
  isOAuthError,
  isPage,
  isRpcError,
  type Outcome,
  startTarget,
  strike,
  type Target,
  type TargetApp,
} from './support/target.ts';

let maitred: TargetApp;
let callers: Caller[];
before(async () => {
  maitred = await startTarget({ rateLimit: 1_000_000 });
  const send = ({ method, path, headers, body }: WireRequest) =>
    strike(maitred, { method, url: path, headers, ...(body && { payload: body }) });
  // Without people: whoever changes a password ends the sessions of the others.
  callers = (await demoCallers(send)).filter(({ isPerson }) => !isPerson);
});
after(() => maitred.close());

/**
 * A path that is too long or cannot be read and a host that is none are refused before it is known whose address it is.
 * With nothing in the place of an id it is another address, which is not there.
 */
function wasRouted(url: string, { status, text }: Outcome): boolean {
  if (status < 400 || text === '') return true;
  const body = JSON.parse(text);
  const { code, errors = {} } = body.error?.data ?? body;
  if (code === 'HTTP-N-414' || (code === 'HTTP-N-404' && lacksId(url))) return false;
  return !('path' in errors || 'Host' in errors);
}

const lacksId = (url: string) => /\/(?:\/|$)/.test(url.split('?', 1)[0] ?? '');

function assertFitsTarget(target: Target, url: string, outcome: Outcome): void {
  assertSound(outcome, target.method);
  if (isPage(outcome.headers)) {
    assert.ok(target.isPublic, 'a page for a program');
    return;
  }
  if (target.method === 'HEAD' || !wasRouted(url, outcome)) return;
  if (!target.isPublic) assertRateHeaders(outcome);
  if (outcome.status < 400) return;
  const body = JSON.parse(outcome.text);
  if (!isRpcError(body) && isOAuthError(body)) {
    assert.equal(target.url, '/oauth/token');
    return;
  }
  assertStatusOfCode(target, outcome);
  const { documentedCodes } = target;
  const code = codeIn(body);
  if (documentedCodes && code !== undefined)
    assert.ok(documentedCodes.has(code), `${code} is not in the reference`);
}

/** Most of the effort goes where most can go wrong; pages and refused methods have little to take apart. */
async function runsFor(target: Target): Promise<number> {
  const { method, url } = target;
  if ((await strike(maitred, { method, url })).status === 405) return 2;
  if (target.method === 'HEAD') return repeats(10, 4);
  // Two hundred of them, all made by the same hand.
  if (url.startsWith('/manage')) return repeats(25, 8);
  return target.body !== undefined ? repeats(150, 40) : target.isPublic ? repeats(15, 8) : repeats(200, 50);
}

const documented = new Map(readOperations().map((operation) => [operation.name, operation]));

/** As the document has it, or, where that does not show it, with what can be told from the route. */
function operationOf({ method, url, isPublic, params, query, body }: Target): Operation {
  const path = url.replaceAll(/:(\w+)/g, '{$1}');
  const name = `${method} ${path}`;
  const parameters = [
    ...params.map((parameter) => ({ ...parameter, in: 'path' as const })),
    ...query.map((parameter) => ({ ...parameter, in: 'query' as const })),
  ];
  const bare: Operation = {
    ...{ name, method, path, isPublic, parameters },
    bodyTypes: body === undefined ? [] : ['application/json'],
    bodySchema: body,
    bodyExamples: [{}],
    codesByStatus: new Map(),
    typesByStatus: new Map(),
    faultsOf: () => [],
  };
  return documented.get(name) ?? bare;
}

/** What is known from the demo; everything else is asked for by ids that nothing has. */
function knownOf(): Asking['known'] {
  const known = createKnown([...documented.values()]);
  for (const venueId of ['1|house|soho-grill', '3|house|hidden-kitchen', '2|tickets|jazz-night'])
    for (const collection of ['A venues', 'B venues', 'everything venues', 'operator 1 venues'])
      known.add(collection, venueId);
  for (const view of ['A', 'B', 'everything']) known.add(`${view} products`, '1|house|soho-grill|dinner');
  return known;
}

/** Other places that may be attacked here, because an answer that was not routed is not held against the document. */
const MORE_HEADERS = ['host', 'authorization', 'x-forwarded-host', 'accept-version'];
/** Refused where it is sent, so that nothing leaves the machine. */
const RECEIVER_URL = 'http://127.0.0.1:9/';

test('whatever is sent to any address by any method, the answer is sound', async (t) => {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`FUZZ_SEED=${seed}`);
  const chances = chancesFrom(seed);
  const known = knownOf();
  for (const target of maitred.targets) {
    const operation = operationOf(target);
    for (let left = await runsFor(target); left > 0; left -= 1) {
      const caller = chances.pick(callers);
      const asking = {
        chances,
        known,
        victim: { operatorId: 1, partnerId: 1 },
        operation,
        caller,
        moreHeaders: MORE_HEADERS,
      };
      const { method, path: url, headers, body } = aim(asking, RECEIVER_URL).wire;
      const attack = { method, url, headers, ...(body && { payload: body }) };
      const outcome = await strike(maitred, attack);
      try {
        assertFitsTarget(target, url, outcome);
      } catch (cause) {
        const request = `${method} ${url.slice(0, 400)} ${JSON.stringify(headers)} ${body?.toString().slice(0, 400)}`;
        throw new Error(`${request}: ${outcome.status} ${outcome.text.slice(0, 400)}`, { cause });
      }
    }
  }
});
