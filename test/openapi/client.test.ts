import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generateApi } from 'swagger-typescript-api';
import { OPENAPI_FILES } from '../../scripts/openapi.ts';
import { DINNER, jazzDay, STANDARD } from '../features/bookings/support.ts';
import { startTestApp } from '../support/app.ts';
import { patience } from '../support/patience.ts';
import { scratchFolder } from '../support/scratch.ts';
import { PROGRAM } from './client-program.ts';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');
const LONGEST_RUN_MS = patience(60_000);

const TYPESCRIPT = {
  compilerOptions: {
    strict: true,
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(MODULES, '@types')],
    skipLibCheck: true,
    outDir: 'out',
  },
  files: ['program.ts'],
};

async function generate(input: string): Promise<string> {
  const { files } = await generateApi({ input, output: false, silent: true });
  return files.map(({ fileContent }) => fileContent).join('\n');
}

const client = await generate(OPENAPI_FILES.partners);

interface Run {
  exitCode: number | string | null | undefined;
  stdout: string;
  stderr: string;
}

function run(...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: LONGEST_RUN_MS }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

/** Compiles a program with the client beside it; it can then be run as `file`. */
async function compile(
  t: TestContext,
  program: string,
  withClient = client,
): Promise<Run & { file: string }> {
  const folder = scratchFolder(t);
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  write('package.json', JSON.stringify({ type: 'module' }));
  write('tsconfig.json', JSON.stringify(TYPESCRIPT));
  write('client.ts', withClient);
  write('program.ts', program);
  const compiled = await run(join(MODULES, 'typescript', 'bin', 'tsc'), '--project', folder);
  return { ...compiled, file: join(folder, 'out', 'program.js') };
}

test('a generated client compiles, and makes, changes and cancels an order', async (t) => {
  const { file, ...compiled } = await compile(t, PROGRAM);
  assert.deepEqual(compiled, { exitCode: 0, stdout: '', stderr: '' });

  const { app, close } = await startTestApp();
  t.after(close);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const { exitCode, stdout, stderr } = await run(file, address, 'demo-partner-secret', jazzDay());
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), {
    isOn: true,
    made: {
      status: 'complete',
      items: [
        [DINNER, 'booked', 2],
        [STANDARD, 'booked', 2],
      ],
    },
    changed: { status: 'complete', items: [[DINNER, 'booked', 3]] },
    withoutJazz: { status: 'partial', items: [[STANDARD, 'cancelled', 2]] },
    cancelled: {
      status: 'cancelled',
      items: [
        [DINNER, 'cancelled', 3],
        [STANDARD, 'cancelled', 2],
      ],
    },
    read: {
      status: 'cancelled',
      items: [
        [DINNER, 'cancelled', 3],
        [STANDARD, 'cancelled', 2],
      ],
    },
    refusal: 'BOOK-N-006',
  });
});

test('the compiler notices a field of an order that there is not', async (t) => {
  const wrong = PROGRAM.replace('quantity: 2, dateTime', 'covers: 2, dateTime');
  assert.notEqual(wrong, PROGRAM);
  const { exitCode, stdout } = await compile(t, wrong);
  assert.notEqual(exitCode, 0);
  assert.match(stdout, /error TS\d+: .*'covers' does not exist/);
});

test('a client generated from the document of the management interface compiles', async (t) => {
  const program = `
    import { Api, type MenuBody, type NoBody } from './client.js';
    const api = new Api();
    const menu: MenuBody = { name: 'Lunch', items: [] };
    const nothing: NoBody = {};
    export const calls = [
      () => api.manage.createMenu('1|house|soho-grill', menu),
      () => api.manage.closeVenue('1|house|soho-grill', nothing),
    ];
  `;
  const { exitCode, stdout } = await compile(t, program, await generate(OPENAPI_FILES.manage));
  assert.equal(exitCode, 0, stdout);
});
