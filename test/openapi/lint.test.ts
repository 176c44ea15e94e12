import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONNECT_FILE, OPENAPI_FILES } from '../../scripts/openapi.ts';
import { patience } from '../support/patience.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLI = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
/** The linter would tell its makers that it ran, and ask them for a newer version. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' };
const LONGEST_RUN_MS = patience(60_000);

interface Finding {
  ruleId: string;
  message: string;
  location: { pointer: string }[];
}

/** What the linter finds, errors and warnings alike. */
function lint(file: string): Promise<string[]> {
  const args = [CLI, 'lint', file, '--config', join(ROOT, 'redocly.yaml'), '--format=json'];
  const options = { cwd: ROOT, env: { ...process.env, ...OFFLINE }, timeout: LONGEST_RUN_MS };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      try {
        const report: { problems: Finding[] } = JSON.parse(stdout);
        resolve(
          report.problems.map(
            ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`,
          ),
        );
      } catch {
        reject(error ?? new Error(stderr));
      }
    });
  });
}

for (const [part, file] of Object.entries({ ...OPENAPI_FILES, connect: CONNECT_FILE })) {
  test(`the document of ${part} is valid OpenAPI 3.1, and its examples fit their schemas`, async () => {
    assert.deepEqual(await lint(file), []);
  });
}

test('the linter notices a wrong example, a reference to nothing and a member out of place', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maitred-lint-'));
  const broken = JSON.parse(readFileSync(OPENAPI_FILES.partners, 'utf8'));
  const { responses } = broken.paths['/venues'].get;
  responses[200].content['application/json'].example.data[0].reservable = 'yes';
  responses[400] = { $ref: '#/components/responses/Nothing' };
  broken.paths['/venues'].get.answers = {};
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(broken));
  const rules = new Set((await lint(file)).map((finding) => finding.split(':')[0]));
  rmSync(folder, { recursive: true });
  assert.ok(rules.isSupersetOf(new Set(['no-invalid-media-type-examples', 'no-unresolved-refs', 'struct'])));
});
