/** `import`, `export`: a whole operator as one document. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { MaitredError } from '@maitred/client';
import { defineCommand, UsageError } from '../command.ts';
import { replaceFile } from '../files.ts';
import { jsonOf, printable } from '../output.ts';

/** The service takes up to two minutes for a whole operator. */
const PATIENCE = { timeoutMs: 130_000, attemptTimeoutMs: 125_000 };

interface ImportReport {
  operatorId: number;
  isDryRun: boolean;
  notes: string[];
  [count: string]: unknown;
}

export const importCommand = defineCommand({
  name: 'import',
  summary: 'Bring an operator in from a document',
  details: `For clients of the platform. FILE is what \`maitred export\` wrote, or - for stdin. The operator comes in as
a whole or not at all.`,
  arguments: [{ name: 'FILE', choices: 'files' }],
  options: {
    'dry-run': { type: 'boolean', about: 'Check everything and say what would come in, without doing it' },
  },
  examples: [
    'maitred import operator.json --dry-run --profile admin',
    'maitred export 1 --profile admin | maitred import - --profile other-admin',
  ],
  async run({ args: [file = ''], options }, { out, connect, stdin, signal }) {
    const document = readDocument(file === '-' ? await text(stdin) : await readFile(file, 'utf8'), file);
    const maitred = await connect();
    const dryRun = options['dry-run'] ?? false;
    const importing = maitred.request<ImportReport>('POST', '/manage/imports', {
      query: { dryRun },
      body: document,
      ...PATIENCE,
      signal,
    });
    const { body } = await importing.catch((error: unknown) => {
      if (!dryRun && error instanceof MaitredError && !error.isOutcomeKnown)
        out.note('The operator may have come in all the same. Look for it before you import it again.');
      throw error;
    });
    out.document(body, () => {
      const { operatorId, isDryRun, notes } = body;
      out.line(isDryRun ? 'Nothing is wrong; this would come in:' : `Brought in as operator ${operatorId}:`);
      const counts = Object.entries(body).filter(
        ([name, count]) => name !== 'operatorId' && Number(count) > 0,
      );
      out.facts(
        Object.fromEntries(counts.filter(([, count]) => typeof count === 'number')) as Record<string, number>,
      );
      for (const note of notes) out.line(`- ${printable(note)}`);
    });
  },
});

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Take an operator out as one document',
  details: `For clients of the operator and of the platform. Without -o the document goes to stdout. The file can be read
by you alone.`,
  arguments: [{ name: 'OPERATOR' }],
  options: {
    output: { type: 'string', short: 'o', value: 'FILE', about: 'Write it to this file', choices: 'files' },
  },
  examples: ['maitred export 1 -o operator.json --profile operator'],
  async run({ args: [operator = ''], options: { output } }, { out, connect, signal }) {
    if (!/^\d+$/.test(operator))
      throw new UsageError('OPERATOR is a number: the first part of the ids of its venues.');
    const maitred = await connect();
    const path = `/manage/operators/${operator}/export`;
    const { body } = await maitred.request<{ venues: unknown[] }>('GET', path, {
      ...PATIENCE,
      signal,
    });
    const document = `${jsonOf(body, 2)}\n`;
    if (output === undefined) return out.line(document.trimEnd());
    await replaceFile(output, document, { isPrivate: true });
    const venues = body.venues.length;
    out.document({ file: output, venues, bytes: Buffer.byteLength(document) }, () =>
      out.line(`Wrote ${venues} venue${venues === 1 ? '' : 's'} to ${output}.`),
    );
  },
});

function readDocument(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new UsageError(
      `${file === '-' ? 'What came on stdin' : file} is no JSON: ${(error as Error).message}`,
    );
  }
}
