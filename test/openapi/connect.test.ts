import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CONNECT_FILE, openApiText } from '../../scripts/openapi.ts';
import { connectDocument } from '../../src/tms/connect/openapi.ts';

test('docs/connect.openapi.json in the repository is what the schemas say', () => {
  const isCurrent = readFileSync(CONNECT_FILE, 'utf8') === openApiText(connectDocument());
  assert.ok(isCurrent, 'It is stale; run `npm run openapi` and commit what it writes');
});
