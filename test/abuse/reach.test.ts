import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/app.ts';
import { repeats } from '../support/repeats.ts';
import {
  admin,
  agent,
  demoPartner,
  leaksIn,
  operator,
  otherPartner,
  type Watcher,
  watchers,
} from './support/sight.ts';
import { FORMATS, watching } from './support/watching.ts';

const { addressesOf, look, see, sight, target, venues } = watching();

test('the callers differ in what they may see, and there is something to leak to each but the platform', () => {
  const counts = [demoPartner, otherPartner, operator].map((watcher) => sight(watcher).venueIds.size);
  assert.equal(new Set(counts).size, 3);
  for (const watcher of [demoPartner, otherPartner, agent, operator]) {
    assert.ok(sight(watcher).secrets.length > 5, watcher.name);
  }
  for (const text of [
    'Clandestine turbot',
    'Clandestine package',
    'Clandestine rehearsal',
    'Fennimore Bank',
  ]) {
    assert.ok(sight(otherPartner).secrets.includes(text), text);
    if (text !== 'Fennimore Bank') assert.ok(!sight(demoPartner).secrets.includes(text), text);
  }
});

/** In short, of the ids that a caller may see and of those that it may not, every so many; on each route others. */
const STRIDE = repeats(1, 8);

function isVisible(watcher: Watcher, id: string): boolean {
  const { venueIds, secrets } = sight(watcher);
  return id.includes('|') ? venueIds.has(id.split('|').slice(0, 3).join('|')) : !secrets.includes(id);
}

function addressesFor(watcher: Watcher, url: string, route: number): { path: string; id: string }[] {
  const kinds = Object.values(Object.groupBy(addressesOf(url), ({ id }) => String(isVisible(watcher, id))));
  return kinds.flatMap((kind = []) =>
    kind.filter((_, index) => index % STRIDE === route % Math.min(STRIDE, kind.length)),
  );
}

test('no read by any id, in any format, fresh or kept, shows a caller what it may not see', async () => {
  const reads = target().targets.filter(({ method, isPublic }) => method === 'GET' && !isPublic);
  for (const watcher of watchers) {
    for (const [route, { url }] of reads.entries()) {
      for (const { path, id } of addressesFor(watcher, url, route)) {
        for (const accept of FORMATS) {
          const answer = await look(watcher, path, accept);
          if (id !== '' && !isVisible(watcher, id)) {
            // What is JSON alone is refused as TOON.
            assert.ok(
              [400, 403, 404, 406].includes(answer.status),
              `${watcher.name} ${path}: ${answer.status}`,
            );
          }
        }
      }
    }
  }
});

test('a venue that is not mapped is refused in words that tell only the id that was asked for', async () => {
  for (const watcher of [demoPartner, otherPartner, agent, operator]) {
    for (const { id, name } of venues().filter(({ id }) => !sight(watcher).venueIds.has(id))) {
      const code = watcher === operator ? 'OPRTR-N-002' : 'PMAP-N-001';
      for (const query of ['', '?fields=id', '?fields=name,products(compositeId)']) {
        for (const headers of [{}, { 'if-none-match': '*' }, { accept: 'text/toon' }]) {
          const answer = await see(watcher, `/venues/${encodeURIComponent(id)}${query}`, headers);
          assertProblem(answer, 403, code);
          assert.equal(answer.headers.etag, undefined);
          assert.ok(!answer.text.includes(name), answer.text);
        }
      }
    }
  }
});

test("products, packages, menus and rules of a venue are those of the caller's own products", async () => {
  const path = `/venues/${encodeURIComponent('1|house|soho-grill')}`;
  const mine = (await see(demoPartner, path)).json;
  const theirs = (await see(otherPartner, path)).json;
  const idsOf = (venue: { products: { compositeId: string }[] }) =>
    venue.products.map((one) => one.compositeId);
  assert.deepEqual(idsOf(mine), ['1|house|soho-grill|dinner', '1|house|soho-grill|private-dining']);
  assert.deepEqual(idsOf(theirs), ['1|house|soho-grill|dinner']);
  const parts = (venue: Record<string, unknown>) =>
    JSON.stringify([venue.preorders, venue.operatorAvailabilityRules]);
  for (const text of [
    'Clandestine package',
    'Clandestine turbot',
    'Clandestine rehearsal',
    'Only for the demo partner',
  ]) {
    assert.ok(parts(mine).includes(text), text);
    assert.ok(!parts(theirs).includes(text), text);
  }
});

test('an agent sees what its partner sees, and nothing through any other reference', async () => {
  for (const path of ['/venues?pageSize=100', `/venues/${encodeURIComponent('1|house|garden-room')}`]) {
    assert.equal((await see(agent, path)).text, (await see(demoPartner, path)).text);
  }
  const references: [string | undefined, 'IDENT-N-002' | 'IDENT-N-003'][] = [
    ['other-partner', 'IDENT-N-003'],
    [undefined, 'IDENT-N-002'],
    ['', 'IDENT-N-002'],
    ['nobody', 'IDENT-N-003'],
    ['DEMO-PARTNER', 'IDENT-N-003'],
    ['demo-partner, other-partner', 'IDENT-N-002'],
    ['demo-partner,other-partner', 'IDENT-N-003'],
    ['1', 'IDENT-N-003'],
    ['%', 'IDENT-N-003'],
    ["' or true --", 'IDENT-N-002'],
    ['demo-partner\u00a0', 'IDENT-N-002'],
    ['x'.repeat(5000), 'IDENT-N-002'],
    ['__proto__', 'IDENT-N-003'],
  ];
  for (const { url } of target().targets.filter(({ method, isPublic }) => method === 'GET' && !isPublic)) {
    const path = addressesOf(url)[0]?.path ?? url;
    for (const [reference, code] of references) {
      const headers = reference === undefined ? {} : { 'x-partner-reference': reference };
      const answer = await target().call(path, { as: 'demo-agent', headers });
      if (url.startsWith('/octo/')) assert.deepEqual([answer.status, answer.json.code], [403, code]);
      else assertProblem(answer, 403, code);
    }
  }
});

test('nobody but an agent becomes another partner by naming it', async () => {
  const attempts: [Watcher, string][] = [
    [demoPartner, 'other-partner'],
    [otherPartner, 'demo-partner'],
    [operator, 'demo-partner'],
    [admin, 'demo-partner'],
    [demoPartner, 'demo-partner, other-partner'],
  ];
  for (const [watcher, reference] of attempts) {
    const answer = await see(watcher, '/venues', { 'x-partner-reference': reference });
    assertProblem(answer, 403, 'IDENT-N-002');
  }
  assert.equal((await see(demoPartner, '/venues', { 'x-partner-reference': 'demo-partner' })).status, 200);
});

test('what is open to everyone says nothing about any venue', async () => {
  const { text } = await target().call('/metrics', { as: null });
  assert.match(text, /route="\/venues\/:venueId"/);
  assert.doesNotMatch(text, /\|house\||\|tickets\||%7C/i);
  const ids = venues().map(({ name }) => name);
  for (const path of ['/health/ready', '/problems', '/.well-known/jwks.json']) {
    assert.deepEqual(leaksIn((await target().call(path, { as: null })).text, ids), []);
  }
});
