/**
 * `npm run tokens` counts what the answers of a booking conversation cost a language model, in tokens of `o200k_base`:
 * over MCP, and over HTTP as JSON and as TOON, whole and with `fields`. It needs no network; the vocabulary is in a package.
 */
import { startTestApp, type TestApp } from '../../test/support/app.ts';
import { startTestServer } from '../../test/support/databases/database.ts';
import { writeReport } from '../report.ts';
import { type AgentTokens, MOST_TOKENS, measureAgent, tokensIn } from './agent-tokens.ts';

const VENUE = '1%7Chouse%7Csoho-grill';
const DINNER = `${VENUE}%7Cdinner`;
const FORMATS = { json: 'application/json', toon: 'text/toon' } as const;
type Format = keyof typeof FORMATS;

interface Step {
  name: string;
  url: string;
  /** What the next step needs; only reads can be told. */
  fields?: string;
  body?: (run: number) => object;
  isAnonymous?: boolean;
}

const day = Temporal.Now.plainDateISO('Europe/London').add({ days: 7 }).toString();

/** Every run books anew, so each has a time of its own. */
const TIMES = ['18:00', '18:30', '20:00', '20:30'];

const CONVERSATION: Step[] = [
  {
    name: 'token',
    url: '/oauth/token',
    isAnonymous: true,
    body: () => ({
      grant_type: 'client_credentials',
      audience: 'maitred',
      client_id: 'demo-partner',
      client_secret: 'demo-partner-secret',
    }),
  },
  { name: 'venues in London', url: '/venues?city=London', fields: 'id,name,location(area)' },
  { name: 'one venue', url: `/venues/${VENUE}`, fields: 'name,timeZone,products(compositeId,productName)' },
  {
    name: 'availability',
    url: `/venues/${DINNER}/availability?date=${day}&partySize=2&time=19:30`,
    fields: 'times(time,type),noAvailabilityReason',
  },
  {
    name: 'booking',
    url: `/venues/${DINNER}/booking`,
    body: (run) => ({
      type: 'book',
      partySize: 2,
      date: day,
      time: TIMES[run],
      firstName: 'Ada',
      lastName: 'Lovelace',
      partnerBookingId: `tokens-${run}`,
    }),
  },
];

/** Flat lists, where TOON says the names of fields once. */
const FLAT: Step[] = [
  { name: 'venues, 3 fields', url: '/venues?pageSize=47', fields: 'id,name,reservable' },
  {
    name: 'venues, 6 fields',
    url: '/venues?pageSize=47',
    fields: 'id,name,reservable,timeZone,website,phone_number',
  },
  {
    name: 'starts of an evening',
    url: `/venues/${DINNER}/availability?date=${day}&partySize=2`,
    fields: 'times(time,type,duration)',
  },
];

async function costOf(app: TestApp, step: Step, format: Format, isSparse: boolean, run: number) {
  const selection =
    isSparse && step.fields ? `${step.url.includes('?') ? '&' : '?'}fields=${step.fields}` : '';
  const answer = await app.call(`${step.url}${selection}`, {
    ...(step.body ? { method: 'POST' as const, body: step.body(run) } : {}),
    ...(step.isAnonymous ? { as: null } : {}),
    headers: { accept: FORMATS[format] },
  });
  if (answer.status >= 300) throw new Error(`${step.name}: ${answer.status} ${answer.text}`);
  return tokensIn(answer.text);
}

const RUNS = [
  ['json', false],
  ['toon', false],
  ['json', true],
  ['toon', true],
] as const satisfies [Format, boolean][];

type Row = [name: string, ...costs: number[]];

async function measure(app: TestApp): Promise<{ conversation: Row[]; flat: Row[] }> {
  const conversation: Row[] = [];
  for (const step of CONVERSATION) {
    const row: Row = [step.name];
    for (const [run, [format, isSparse]] of RUNS.entries()) {
      // Tokens are handed out as JSON alone, and no two have the same length.
      const isSame = step.isAnonymous && run > 0;
      row.push(isSame ? Number(row[1]) : await costOf(app, step, format, isSparse, run));
    }
    conversation.push(row);
  }
  const flat: Row[] = [];
  for (const step of FLAT) {
    flat.push([
      step.name,
      await costOf(app, step, 'json', true, 0),
      await costOf(app, step, 'toon', true, 0),
    ]);
  }
  return { conversation, flat };
}

const total = (rows: Row[], column: number) => rows.reduce((sum, row) => sum + Number(row[column]), 0);
const percent = (cost: number, of: number) =>
  `${cost > of ? '+' : cost < of ? '−' : ''}${Math.abs(Math.round((cost / of - 1) * 100))} %`;
const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: (string | number)[][]) =>
  [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');

function agentPart({ tools, list, answers, conversation }: AgentTokens): string {
  const most = (tokens: number) => `at most ${tokens}`;
  return `## Over MCP

«Four people in London on Saturday», «book it», «half an hour later», «cancel it»: the answers of the tools, text and structured content together.

${table(['answer', 'tokens'], [...answers, ['**all**', `${conversation}, ${most(MOST_TOKENS.conversation)}`]])}

The list of tools, with their schemas:

${table(['tool', 'tokens'], [...tools, ['**whole list**', `${list}, ${most(MOST_TOKENS.tools)}`]])}

## Over HTTP`;
}

function bodyOf({ conversation, flat }: Awaited<ReturnType<typeof measure>>): string {
  const sums = RUNS.map((_, index) => total(conversation, index + 1));
  const whole = sums[0] ?? 0;
  return `Tokens of \`o200k_base\` in the answers of one conversation: get a token, list the venues in London, read one, ask for dinner in a week, book it. With \`fields\` each read selects what the next step needs. The token has no other form, and making a booking takes no \`fields\`.

${table(
  ['answer', 'JSON', 'TOON', 'JSON with `fields`', 'TOON with `fields`'],
  [
    ...conversation,
    ['**all**', ...sums],
    ['against whole JSON', ...sums.map((sum) => (sum === whole ? '' : percent(sum, whole)))],
  ],
)}

Lists of flat entries, all selected with \`fields\`:

${table(
  ['answer', 'JSON', 'TOON', 'difference'],
  flat.map(([name, json = 0, toon = 0]) => [name, json, toon, percent(toon, json)]),
)}`;
}

const server = await startTestServer();
process.env.MAITRED_TEST_SERVER = server.url;
try {
  const app = await startTestApp();
  const body = `${agentPart(await measureAgent(app))}\n\n${bodyOf(await measure(app))}`;
  await app.close();
  console.log(body);
  writeReport('bench/TOKENS.md', { title: 'Tokens', command: 'npm run tokens', body });
} finally {
  await server.stop();
}
