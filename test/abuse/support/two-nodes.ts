import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../src/db/database.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { patience } from '../../support/patience.ts';
import { type SecondNode, startSecondNode } from './second-node.ts';

export const SOHO = '1|house|soho-grill';
export const GARDEN = '1|house|garden-room';
export const read = (id: string) => `/venues/${encodeURIComponent(id)}`;
export const LIST = '/venues?pageSize=100&fields=id,name,reservable,products(compositeId)';

export const demo = { client: 'demo-partner' };
export const viaAgent = { client: 'demo-agent', headers: { 'x-partner-reference': 'demo-partner' } };

export interface Seen {
  status: number;
  text: string;
}

export type Expectation = (seen: Seen) => boolean;

export const succeeds: Expectation = ({ status }) => status === 200;
export const refusedWith =
  (code: string): Expectation =>
  ({ text }) =>
    text.includes(`"code":"${code}"`);
export const withText =
  (text: string): Expectation =>
  (seen) =>
    seen.status === 200 && seen.text.includes(text);
export const without =
  (text: string): Expectation =>
  (seen) =>
    seen.status === 200 && !seen.text.includes(text);

/** What one caller sees at one address, before a change and after it. */
export interface Look {
  client: string;
  headers?: Record<string, string>;
  path: string;
  before: Expectation;
  after: Expectation;
}

/** Within this long a change has reached a node. */
const PATIENCE_MS = patience(5000);

export interface TwoNodes {
  /** The database, for changes as a migration or another program would make them. */
  sql(): Sql;
  /** Asks the first node alone, for what a look at the text does not tell. */
  call: TestApp['call'];
  /** One answer of each node, to the same token. */
  fromBoth(client: string, path: string, headers?: Record<string, string>): Promise<Seen[]>;
  /** Polls until both nodes answer as expected, and fails with what they said last. */
  eventually(
    client: string,
    path: string,
    expected: Expectation,
    headers?: Record<string, string>,
  ): Promise<void>;
  /** The answers are kept on both nodes, then `change` is made, then they are gone; `undo` brings them back. */
  withdraws(looks: Look[], change: () => Promise<unknown>, undo?: () => Promise<unknown>): Promise<void>;
}

/** Two nodes on one database, for the tests of one file. */
export function twoNodes(): TwoNodes {
  let first: TestApp;
  let second: SecondNode;
  before(async () => {
    first = await startTestApp();
    second = await startSecondNode(first);
  });
  after(async () => {
    await second.close();
    await first.close();
  });

  async function fromBoth(
    client: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<Seen[]> {
    const authorization = `Bearer ${await first.token(client)}`;
    const answers = [first.app, second.app].map((app) =>
      app.inject({ url: path, headers: { authorization, ...headers } }),
    );
    return (await Promise.all(answers)).map((answer) => ({ status: answer.statusCode, text: answer.body }));
  }

  const eventually: TwoNodes['eventually'] = async (client, path, expected, headers) => {
    const deadline = Date.now() + PATIENCE_MS;
    let seen = await fromBoth(client, path, headers);
    while (!seen.every(expected)) {
      if (Date.now() > deadline)
        assert.fail(`${client} ${path} still answers ${JSON.stringify(seen).slice(0, 600)}`);
      await sleep(20);
      seen = await fromBoth(client, path, headers);
    }
  };

  return {
    sql: () => first.sql,
    call: (path, options) => first.call(path, options),
    fromBoth,
    eventually,
    async withdraws(looks, change, undo) {
      for (const { client, path, before, headers } of looks) await eventually(client, path, before, headers);
      // Asked for again, they come out of memory.
      for (const { client, path, before, headers } of looks) await eventually(client, path, before, headers);
      await change();
      for (const { client, path, after, headers } of looks) await eventually(client, path, after, headers);
      if (!undo) return;
      await undo();
      for (const { client, path, before, headers } of looks) await eventually(client, path, before, headers);
    },
  };
}
