import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPES_OF } from '../../src/console/browser/pages/platform/client/kinds.ts';
import { tonesOf } from '../../src/console/browser/pages/platform/health-tones.ts';
import { changeOf, formOf } from '../../src/console/browser/pages/platform/mapping/mapping-values.ts';
import { inviteOf } from '../../src/console/browser/pages/platform/user/place.ts';
import { healthExample } from '../../src/features/health/schema.ts';
import { DEFAULT_SCOPES } from '../../src/features/identity/names-and-scopes.ts';

test('a platform that is well is green in all parts', () => {
  const quiet = {
    ...healthExample,
    mails: { waiting: 0, retrying: 0, oldestDueAt: null },
    webhooks: { waiting: 0, oldestDueAt: null, failing: [] },
  };
  deepEqual(new Set(Object.values(tonesOf(quiet))), new Set(['good']));
});

test('what fails is told from what needs a look', () => {
  const [node] = healthExample.nodes ?? [];
  if (!node) throw new Error('The example has no node.');
  equal(tonesOf(healthExample).webhooks, 'warn');
  equal(tonesOf(healthExample).mails, 'warn');
  equal(tonesOf({ ...healthExample, nodes: [node, { ...node, isUp: false }] }).nodes, 'warn');
  equal(tonesOf({ ...healthExample, nodes: [{ ...node, isUp: false }] }).nodes, 'bad');
  equal(tonesOf({ ...healthExample, database: null }).database, 'bad');
  const late = { name: 'mail.send-due', waiting: 1, failed: 0, oldestDueAt: '2026-11-15T10:30:00.000Z' };
  equal(tonesOf({ ...healthExample, queues: [late] }).queues, 'bad');
  equal(
    tonesOf({ ...healthExample, queues: [{ ...late, waiting: 0, oldestDueAt: null, failed: 2 }] }).queues,
    'warn',
  );
  const { encryption } = healthExample;
  if (!encryption) throw new Error('The example has no encryption.');
  for (const [state, tone] of [
    ['waiting', 'warn'],
    ['resealing', 'warn'],
    ['stuck', 'bad'],
  ] as const)
    equal(tonesOf({ ...healthExample, encryption: { ...encryption, state } }).encryption, tone);
  equal(
    tonesOf({ ...healthExample, systems: [{ tms: 'remote', isResting: true, restingOn: 1 }] }).systems,
    'bad',
  );
});

test('the form of a mapping sends back what it was given', () => {
  const mapping = {
    partnerId: 1,
    venueId: '1|house|soho-grill',
    venueName: 'Soho Grill',
    company: { mode: 'list' as const, names: ['Arden & Sons', 'Northgate Legal'] },
    maxPartySize: 8,
    isRequestOnly: true,
    guestMails: 'venue' as const,
    deposit: 'before_confirmation' as const,
    productKeys: ['dinner'],
  };
  const { partnerId: _, venueId: __, venueName: ___, ...terms } = mapping;
  deepEqual(changeOf(formOf(mapping, ['dinner', 'lunch'])), terms);
});

test('a new mapping has all products and no limits', () => {
  deepEqual(changeOf(formOf(null, ['dinner', 'lunch'])), {
    productKeys: ['dinner', 'lunch'],
    maxPartySize: null,
    isRequestOnly: false,
    guestMails: 'partner',
    deposit: 'declared',
    company: { mode: 'none', names: [] },
  });
});

test('the scopes to choose from are those of the service', () => {
  const { platform: _, ...others } = DEFAULT_SCOPES;
  deepEqual(SCOPES_OF, others);
});

test('an invite names one place', () => {
  const place = { operatorId: '1', partnerId: '2', role: 'owner' as const };
  const email = 'ada@lamp.example';
  deepEqual(inviteOf(email, { ...place, kind: 'operator' }), {
    email,
    operatorId: 1,
    role: 'owner',
    isPlatform: false,
  });
  deepEqual(inviteOf(email, { ...place, kind: 'partner' }), {
    email,
    operatorId: null,
    partnerId: 2,
    role: 'developer',
    isPlatform: false,
  });
  deepEqual(inviteOf(email, { ...place, kind: 'platform' }), {
    email,
    operatorId: null,
    role: null,
    isPlatform: true,
  });
});
