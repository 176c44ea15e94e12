import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegistry } from '../../src/tms/registry.ts';
import { createTickets } from '../../src/tms/tickets/connector.ts';
import { createRemote } from '../support/remote-tms/connector.ts';

test('a system is found by its slug, and only by its slug', () => {
  const tickets = createTickets();
  const remote = createRemote('http://127.0.0.1:1');
  const registry = createRegistry([tickets, remote]);
  assert.equal(registry.get('tickets'), tickets);
  assert.equal(registry.get('remote'), remote);
  assert.equal(registry.get('toString'), undefined);
});

test('two systems with one slug are refused', () => {
  assert.throws(() => createRegistry([createTickets(), createTickets()]), /"tickets"/);
});
