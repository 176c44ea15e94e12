import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { attackOn } from './support/hostile.ts';
import {
  assertRateHeaders,
  assertSound,
  assertStatusOfCode,
  isOAuthError,
  type Outcome,
  startTarget,
  strike,
  type Target,
  type TargetApp,
} from './support/target.ts';

let maitred: TargetApp;
let tokens: string[];
before(async () => {
  maitred = await startTarget({ rateLimit: 1_000_000 });
  tokens = await Promise.all(
    ['demo-partner', 'other-partner', 'demo-agent', 'demo-operator', 'demo-admin'].map(maitred.token),
  );
});
after(() => maitred.close());

/**
 * A path that is too long or cannot be read and a host that is none are refused before it is known whose address it is.
 * With nothing in the place of an id it is another address, which is not there.
 */
function wasRouted(url: string, { status, text }: Outcome): boolean {
  if (status < 400 || text === '') return true;
  const { code, errors = {} } = JSON.parse(text);
  if (code === 'HTTP-N-414' || (code === 'HTTP-N-404' && lacksId(url))) return false;
  return !('path' in errors || 'Host' in errors);
}

const lacksId = (url: string) => /\/(?:\/|$)/.test(url.split('?', 1)[0] ?? '');

function assertFitsTarget(target: Target, url: string, outcome: Outcome): void {
  assertSound(outcome, target.method);
  if (target.method === 'HEAD' || !wasRouted(url, outcome)) return;
  if (!target.isPublic) assertRateHeaders(outcome);
  if (outcome.status < 400) return;
  const body = JSON.parse(outcome.text);
  if (isOAuthError(body)) {
    assert.equal(target.url, '/oauth/token');
    return;
  }
  assertStatusOfCode(target, outcome);
  const { documentedCodes } = target;
  if (documentedCodes) assert.ok(documentedCodes.has(body.code), `${body.code} is not in the reference`);
}

/** Most of the effort goes where most can go wrong; pages and refused methods have little to take apart. */
async function runsFor(target: Target): Promise<number> {
  const { method, url } = target;
  if ((await strike(maitred, { method, url })).status === 405) return 2;
  if (target.method === 'HEAD') return 10;
  // Two hundred of them, all made by the same hand.
  if (url.startsWith('/manage')) return 25;
  return target.body !== undefined ? 150 : target.isPublic ? 15 : 200;
}

test('whatever is sent to any address by any method, the answer is sound', async () => {
  for (const target of maitred.targets) {
    await fc.assert(
      fc.asyncProperty(attackOn(target, tokens), async (attack) => {
        assertFitsTarget(target, attack.url, await strike(maitred, attack));
      }),
      { numRuns: await runsFor(target) },
    );
  }
});
