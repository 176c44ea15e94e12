/** Looks for guests and secrets where they may not be, and shows with planted ones that it would have found them. */
import { appendFileSync, createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { dump } from '../../../src/db/backup/dump.ts';
import type { Sql } from '../../../src/db/database.ts';
import type { ReceivedPost } from '../../../test/support/peers/receiver.ts';
import { DEMO_PASSWORD } from '../../../test/support/people.ts';
import { GUEST_DIGITS, GUEST_WORD, guestOf } from '../markers.ts';
import type { Planted } from '../planted.ts';
import { type Found, type Searched, searchDatabase, searchFiles } from './hiding-places.ts';
import { type Letters, readMails, readPosts } from './mails.ts';
import { type Needle, needlesFor, searchFor } from './needles.ts';

export interface SearchedEverywhere {
  needles: number;
  database: Searched;
  files: Searched;
  /** Where it is meant to be: mails to people are files outside live, and carry the token that they are about. */
  expected: Found[];
  mails: Letters;
  posts: Letters;
  controls: { what: string; isFound: boolean }[];
}

export interface SearchContext {
  sql: Sql;
  dataDir: string;
  encryptionKey: string;
  planted: Planted;
  /** What the receiver of webhooks got. */
  posts: readonly ReceivedPost[];
}

const DEMO_SECRETS = [
  ...['demo-partner', 'other-partner', 'demo-agent', 'demo-assistant', 'demo-operator', 'demo-admin'],
];
export const CONTROL = 'xylographic-control-sentence';

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
  await backUp(context);
  const needles = allNeedles(context);
  const search = searchFor(needles);
  const database = await searchDatabase(sql, search);
  const mails = readMails(join(dataDir, 'mail'));
  const posts = readPosts(context.posts);
  const files = searchFiles(dataDir, search, (path) => /postgres\/password$|\.backup$/.test(path));
  const isControl = ({ what }: Found) => what.startsWith('control');
  // What mails say of guests is judged one by one.
  const isExpected = ({ where, what }: Found) =>
    where.startsWith('mail/') && /^(?:mailed token|a guest's)/.test(what);
  const foundIn = (pattern: RegExp) => files.found.some((one) => isControl(one) && pattern.test(one.where));
  const controls = [
    ...CONTROLS.map((form) => ({
      what: `the database, ${form}`,
      isFound: database.found.some(({ what }) => what === `control, ${form}`),
    })),
    ...Object.entries(CONTROL_FILES).map(([what, pattern]) => ({ what, isFound: foundIn(pattern) })),
    {
      what: 'a mail about a stranger',
      isFound: mails.found.some(({ where }) => where.endsWith(CONTROL_MAIL)),
    },
  ];
  const rest = (found: Found[]) => found.filter((one) => !isControl(one) && !isExpected(one));
  const isPlanted = ({ where }: Found) => where.endsWith(CONTROL_MAIL);
  return {
    needles: needles.length,
    database: { ...database, found: rest(database.found) },
    files: { ...files, found: rest(files.found) },
    expected: files.found.filter(
      ({ where, what }) => where.startsWith('mail/') && what.startsWith('mailed token'),
    ),
    mails: { ...mails, found: mails.found.filter((one) => !isPlanted(one)) },
    posts,
    controls,
  };
}

const CONTROLS = ['as it is', 'in hex', 'in base64'];

/** Where the control must be found: it got there by the way that the rest of the file came. */
const CONTROL_FILES: Record<string, RegExp> = {
  'the log of the node': /^node\.log$/,
  'the log of the other node': /^traced-node\.log$/,
  traces: /^traces\.json$/,
  'the log of PostgreSQL': /server\.log$/,
  'the write-ahead log': /pg_wal\//,
  'the backup': /^backup\.txt$/,
  'answers that were kept': /^answers\//,
};
const CONTROL_MAIL = 'control.eml';

/** In a table of its own: text, bytes, and base64 in the middle of something else. */
async function plantControls({ sql, dataDir }: SearchContext): Promise<void> {
  const wrapped = Buffer.from(`a ${CONTROL} b`).toString('base64');
  await sql`create table abuse_control (plain text, bytes bytea, wrapped jsonb)`;
  await sql`insert into abuse_control values (${CONTROL}, ${Buffer.from(CONTROL)}, ${sql.json({ wrapped })})`;
  // What PostgreSQL refuses it writes down.
  await sql.unsafe(`select '${CONTROL}'::integer`).catch(() => {});
  for (const name of ['node.log', 'traced-node.log', 'traces.json'])
    appendFileSync(join(dataDir, name), `{"msg":"${CONTROL}"}\n`);
  const stranger = guestOf('A', 1);
  const mail = `To: ${guestOf('B', 1).email}\r\n\r\n${stranger.lastName}\r\n`;
  writeFileSync(join(dataDir, 'mail', CONTROL_MAIL), mail);
}

/** As `npm run backup` writes it, and then as text. */
async function backUp({ sql, dataDir }: SearchContext): Promise<void> {
  const path = join(dataDir, 'maitred.backup');
  await dump(sql, { to: path, signal: new AbortController().signal, progress: () => {} });
  await pipeline(createReadStream(path), createGunzip(), createWriteStream(join(dataDir, 'backup.txt')));
}
