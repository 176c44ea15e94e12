/** Looks for guests and secrets where they may not be, and shows with planted ones that it would have found them. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../../src/db/database.ts';
import { DEMO_PASSWORD } from '../../test/support/people.ts';
import { type Found, type Searched, searchDatabase, searchFiles } from './hiding-places.ts';
import { GUEST_DIGITS, GUEST_WORD } from './markers.ts';
import { type Needle, needlesFor, searchFor } from './needles.ts';
import type { Planted } from './planted.ts';

export interface SearchedEverywhere {
  needles: number;
  database: Searched;
  files: Searched;
  /** Where it is meant to be: mails to people are files outside live, and carry the token that they are about. */
  expected: Found[];
  controls: { what: string; isFound: boolean }[];
}

export interface SearchContext {
  sql: Sql;
  dataDir: string;
  encryptionKey: string;
  planted: Planted;
}

const DEMO_SECRETS = ['demo-partner', 'other-partner', 'demo-agent', 'demo-operator', 'demo-admin'];
const CONTROL = 'xylographic-control-sentence';

function allNeedles({ planted, encryptionKey }: SearchContext): Needle[] {
  const secrets = [...planted.byKind()].flatMap(([kind, values]) =>
    [...values].flatMap((value) => needlesFor(kind, value)),
  );
  return [
    ...needlesFor("a guest's name, address or words", GUEST_WORD),
    ...needlesFor("a guest's telephone number", GUEST_DIGITS),
    ...needlesFor('encryption key', encryptionKey),
    { label: 'encryption key, as bytes', bytes: Buffer.from(encryptionKey, 'base64') },
    ...needlesFor('encryption key, as bytes', Buffer.from(encryptionKey, 'base64').toString('hex')),
    ...needlesFor('password of the demo', DEMO_PASSWORD),
    ...DEMO_SECRETS.flatMap((id) => needlesFor('client secret of the demo', `${id}-secret`)),
    ...secrets,
    ...needlesFor('control', CONTROL),
  ];
}

export async function searchEverywhere(context: SearchContext): Promise<SearchedEverywhere> {
  const { sql, dataDir } = context;
  await plantControls(context);
  const needles = allNeedles(context);
  const search = searchFor(needles);
  const database = await searchDatabase(sql, search);
  const files = searchFiles(dataDir, search, (path) => path.endsWith('postgres/password'));
  const isControl = ({ what }: Found) => what.startsWith('control');
  const isExpected = ({ where, what }: Found) => where.startsWith('mail/') && what.startsWith('mailed token');
  const controls = [
    ...CONTROLS.map((form) => ({
      what: `the database, ${form}`,
      isFound: database.found.some(({ what }) => what === `control, ${form}`),
    })),
    { what: 'the log', isFound: files.found.some((one) => isControl(one) && one.where === 'node.log') },
  ];
  const rest = (found: Found[]) => found.filter((one) => !isControl(one) && !isExpected(one));
  return {
    needles: needles.length,
    database: { ...database, found: rest(database.found) },
    files: { ...files, found: rest(files.found) },
    expected: files.found.filter(isExpected),
    controls,
  };
}

const CONTROLS = ['as it is', 'in hex', 'in base64'];

/** In a table of its own: text, bytes, and base64 in the middle of something else. */
async function plantControls({ sql, dataDir }: SearchContext): Promise<void> {
  const wrapped = Buffer.from(`a ${CONTROL} b`).toString('base64');
  await sql`create table abuse_control (plain text, bytes bytea, wrapped jsonb)`;
  await sql`insert into abuse_control values (${CONTROL}, ${Buffer.from(CONTROL)}, ${sql.json({ wrapped })})`;
  appendFileSync(join(dataDir, 'node.log'), `{"msg":"${CONTROL}"}\n`);
}
