/** Every public method of the client has an example, and every example runs against the service as it stands there. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Maitred } from '@maitred/client';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Receiver, startReceiver } from '../../support/peers/receiver.ts';
import { given } from './examples-given.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SOURCE = join(ROOT, 'clients', 'typescript', 'src');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** Beside the tests, so that it finds the package. */
const PROGRAM = join(import.meta.dirname, `.examples-${process.pid}.ts`);
const PROJECT = `${PROGRAM}config.json`;

interface Example {
  /** Where it stands. */
  name: string;
  code: string;
}

interface Documented {
  file: string;
  /** What the comment is about, as it is declared. */
  subject: string;
  comment: string;
}

const documented: Documented[] = globSync('*.ts', { cwd: SOURCE })
  .filter((file) => file !== 'types.ts')
  .flatMap((file) => {
    const text = readFileSync(join(SOURCE, file), 'utf8');
    return [...text.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s*([^\n]+)/gs)].map(
      ([, comment = '', subject = '']) => ({
        file,
        subject,
        comment,
      }),
    );
  });

const examples: Example[] = documented.flatMap(({ file, subject, comment }) => {
  const [, code] = /@example\n(.*)$/s.exec(comment) ?? [];
  if (code === undefined) return [];
  const [, name = subject] =
    /(\w+)(?:<[^(]*>)?\(/.exec(subject) ?? /(?:class|function) (\w+)/.exec(subject) ?? [];
  return [{ name: `${file}: ${name}`, code: code.replaceAll(/^ *\* ?/gm, '').trimEnd() }];
});

let service: TestApp;
let receiver: Receiver;
let address: string;
before(async () => {
  receiver = await startReceiver();
  service = await startTestApp({ config: { webhookAllowLoopback: true } });
  address = await service.app.listen({ port: 0, host: '127.0.0.1' });
});
after(async () => {
  for (const file of [PROGRAM, PROJECT]) rmSync(file, { force: true });
  await receiver.close();
  await service.close();
});

test('every public method is documented with an example', () => {
  const methods = globSync('*.ts', { cwd: SOURCE })
    .filter(
      (file) =>
        !['types.ts', 'limit.ts', 'transport.ts', 'tokens.ts', 'retries.ts', 'errors.ts'].includes(file),
    )
    .flatMap((file) => {
      const text = readFileSync(join(SOURCE, file), 'utf8');
      const found = text.matchAll(/^ {2}(?:async )?(?:\*)?([a-z]\w*)(?:<\w+[^(]*>)?\([^;]*?\{\n/gm);
      return [...found]
        .map(([, name]) => `${file}: ${name}`)
        .filter((name) => !name.endsWith(': constructor'));
    });
  assert.ok(methods.length > 45, `${methods.length} methods`);
  const shown = new Set(examples.map(({ name }) => name));
  assert.deepEqual(
    methods.filter((name) => !shown.has(name)),
    [],
  );
});

/** What examples take as given: what a reader would have from the example before it. */
const GIVEN: [RegExp, string][] = [
  [/\bbooking\.id\b/, 'const booking = await create();'],
  [/\bhold\.id\b|book\(hold,/, 'const hold = await maitred.holds.create(dinner, slot());'],
  [/\border\.orderId\b/, 'const order = await maitred.orders.create({ items: [await item()] });'],
  [/\bentry\.id\b/, 'const entry = await join();'],
  [/\bsubscription\.webhookId\b/, 'const subscription = await subscribe();'],
];

const IMPORT = /^import [^;]*;$/gm;

/** Blocks of the guide stand on their own, apart from what they import. */
const GUIDE = join(ROOT, 'docs', 'client.md');
const blocks: Example[] = [...readFileSync(GUIDE, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code = ''], index) => ({
    name: `docs/client.md: block ${index + 1}`,
    code: code.replaceAll(IMPORT, ''),
  }),
);

test('every example fits the types and runs, those of the guide too', async () => {
  const names = Object.keys(await import('@maitred/client'));
  const runs = [...examples, ...blocks].map(({ name, code }) => {
    const given = GIVEN.filter(
      ([used, line]) => used.test(code) && !code.includes(line.split(' = ')[0] ?? ''),
    );
    const lines = [
      ...given.map(([, line]) => line),
      code.replaceAll('https://partner.example', receiver.url).replaceAll('http://127.0.0.1:3000', address),
    ];
    return `  [${JSON.stringify(name)}, async () => {\n${lines.join('\n')}\n  }],`;
  });
  const imports = readFileSync(GUIDE, 'utf8')
    .match(IMPORT)
    ?.filter((line) => !line.includes('@maitred/client'));
  const types = `type ${['Hold', 'MaitredOptions', 'VerifiedEvent'].join(', type ')}`;
  writeFileSync(
    PROGRAM,
    `import { ${names.join(', ')}, ${types} } from '@maitred/client';
import type { Given } from './examples-given.ts';
${imports?.join('\n')}

export default (known: Given): [string, () => Promise<void>][] => {
  const { maitred, day, dinner, slot, item, create, join, subscribe, console } = known;
  return [
${runs.join('\n')}
  ];
};
`,
  );
  const project = { extends: join(ROOT, 'tsconfig.json'), files: [PROGRAM], include: [] };
  writeFileSync(PROJECT, JSON.stringify(project));
  const checked = spawnSync(process.execPath, [TSC, '--noEmit', '-p', PROJECT], { encoding: 'utf8' });
  assert.equal(checked.stdout, '');

  process.env.MAITRED_URL = address;
  const maitred = new Maitred({
    baseUrl: address,
    clientId: 'demo-partner',
    clientSecret: 'demo-partner-secret',
  });
  const { default: load } = await import(PROGRAM);
  const failures: string[] = [];
  for (const [name, run] of load(given(maitred, receiver.url))) {
    await run().catch((error: unknown) => failures.push(`${name}: ${error}`));
  }
  assert.deepEqual(failures, []);
});
