/**
 * What an agent's model reads of us over MCP, in tokens of `o200k_base`: the list of tools, which many hosts send with
 * every request, and the answers of one conversation.
 */
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { connect } from '../../test/channels/mcp/support.ts';
import type { TestApp } from '../../test/support/app.ts';

const encoding = new Tiktoken(o200k);
export const tokensIn = (text: string) => encoding.encode(text).length;

export const MOST_TOKENS = { tools: 3000, conversation: 2500 };

export interface AgentTokens {
  /** Name of each tool, and what its entry in the list costs. */
  tools: [name: string, tokens: number][];
  list: number;
  /** Name of each call, and what its answer costs, text and structured content together. */
  answers: [name: string, tokens: number][];
  conversation: number;
}

const SATURDAY = 6;

/** The next one that is not today. */
function saturday(): string {
  const today = Temporal.Now.plainDateISO('Europe/London');
  const days = (SATURDAY - today.dayOfWeek + 7) % 7;
  return today.add({ days: days === 0 ? 7 : days }).toString();
}

interface Table {
  compositeId: string;
  date: string;
  time: string;
  type: 'book' | 'request';
  spaceId?: number;
}

type Client = Awaited<ReturnType<typeof connect>>;
type Answer = Awaited<ReturnType<Client['callTool']>>;

const later = (time: string) => Temporal.PlainTime.from(time).add({ minutes: 30 }).toString().slice(0, 5);

/** «Four people in London on Saturday», then «book it», «half an hour later» and «cancel it», for one of the tables. */
async function converse(client: Client): Promise<[string, Answer][]> {
  const call = (name: string, args: object) =>
    client.callTool({ name, arguments: args as Record<string, unknown> });
  const question = { partySize: 4, city: 'London', date: saturday() };
  const found = await call('find_tables', question);
  const { tables } = found.structuredContent as { tables: Table[] };
  for (const { compositeId, date, time, type, spaceId } of tables) {
    if (type !== 'book') continue;
    const guest = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
    const place = { compositeId, date, time, ...(spaceId !== undefined && { spaceId }) };
    const booked = await call('create_venue_booking', { ...place, partySize: 4, ...guest });
    if (booked.isError) continue;
    const { bookingId } = booked.structuredContent as { bookingId: string };
    const moved = await call('update_venue_booking', { bookingId, time: later(time) });
    const cancelled = await call('cancel_venue_booking', { bookingId });
    if (cancelled.isError) throw new Error(textOf(cancelled));
    // Not every table is free half an hour later; another one is taken then.
    if (moved.isError) continue;
    return [
      ['find_tables', found],
      ['create_venue_booking', booked],
      ['update_venue_booking', moved],
      ['cancel_venue_booking', cancelled],
    ];
  }
  throw new Error(`No table could be booked and moved: ${textOf(found)}`);
}

const textOf = ({ content }: Answer) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** Hosts differ in which of the two they hand on; both are counted. */
const costOf = ({ content, structuredContent }: Answer) =>
  tokensIn(JSON.stringify({ content, structuredContent }));

const sum = (rows: [string, number][]) => rows.reduce((all, [, tokens]) => all + tokens, 0);

export async function measureAgent(app: TestApp): Promise<AgentTokens> {
  const client = await connect(app);
  try {
    const { tools } = await client.listTools();
    const answers = (await converse(client)).map(
      ([name, answer]) => [name, costOf(answer)] as [string, number],
    );
    return {
      tools: tools.map((tool) => [tool.name, tokensIn(JSON.stringify(tool))]),
      list: tokensIn(JSON.stringify({ tools })),
      answers,
      conversation: sum(answers),
    };
  } finally {
    await client.close();
  }
}
