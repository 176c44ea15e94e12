import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StartError } from '../../src/kernel/problem.ts';
import { loadProtocols } from '../../src/tms/protocols.ts';
import { PROTOCOL_PATH } from '../support/remote-tms/protocol.ts';
import { scratchFolder } from '../support/scratch.ts';

test('protocols are found in their folders, and where CONNECTORS says', async () => {
  const own = await loadProtocols([]);
  const all = await loadProtocols([PROTOCOL_PATH]);
  assert.deepEqual([...all.keys()], [...own.keys(), 'bistro']);
});

test('what cannot be loaded is said in a sentence', async (t) => {
  const folder = scratchFolder(t);
  const write = (name: string, source: string) => {
    const file = join(folder, name);
    writeFileSync(file, source);
    return file;
  };
  const refusals: [string[], RegExp][] = [
    [['no-such-package-at-all'], /^CONNECTORS names no-such-package-at-all, which cannot be loaded: /],
    [['./no/such/file.js'], /^CONNECTORS names \.\/no\/such\/file\.js, which cannot be loaded: /],
    [[write('empty.mjs', 'export const other = 1;')], /exports no "protocol"/],
    [[write('broken.mjs', 'throw new Error("It is broken.");')], /cannot be loaded: It is broken\.$/],
    [[write('half.mjs', 'export const protocol = { name: "half" };')], /exports no "protocol"/],
    [[PROTOCOL_PATH, PROTOCOL_PATH], /brings the protocol "bistro", which is there already\.$/],
  ];
  for (const [connectors, message] of refusals)
    await assert.rejects(
      loadProtocols(connectors),
      (error: Error) => error instanceof StartError && message.test(error.message),
    );
});
