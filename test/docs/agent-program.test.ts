/** The program that docs/agents.md shows, with the official client against a node that listens. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { blocksOf, ROOT } from './blocks.ts';

test('the program of the guide for agents lists the tools and finds tables', async (t) => {
  const maitred = await startTestApp();
  t.after(() => maitred.close());
  const address = await maitred.app.listen({ host: '127.0.0.1', port: 0 });
  const program = blocksOf('docs/agents.md').find(({ language }) => language === 'ts');
  assert.ok(program);
  const day = Temporal.Now.plainDateISO('Europe/London').add({ days: 7 }).toString();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program.text], {
    cwd: ROOT,
    env: { ...process.env, MAITRED: address, TOKEN: await maitred.token('demo-agent'), DAY: day },
  });
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.match(printed, /^\d+ tools\n(?:\d\d:\d\d at .+: .+\n)+$/, complained);
});
