/** `logs tail`: how the service answered your calls, as they are answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError, isProblem, type LoggedRequest, type Maitred } from '@maitred/client';
import { defineCommand, UsageError } from '../command.ts';
import { readCount } from '../dates.ts';
import { type Output, printable, type Style } from '../output.ts';

const POLL_MS = 2000;
const DEFAULT_LINES = '10';
const PAGE = 100;
/** A call is written down a second or two after its answer, so one that began earlier may come later. */
const OVERLAP_MS = 60_000;
const CLOCKS_DIFFER_MS = 10 * 60_000;
/** The polls of this command are calls as well. */
const OWN_ROUTE = '/request-log';

export const logsTail = defineCommand({
  name: 'logs tail',
  summary: 'Show your calls and how they were answered, as they come',
  details: `The request log of your partner: what was called, by which client, with which result. It has no bodies and
nothing of a guest. The calls of this command are left out.`,
  options: {
    status: { type: 'string', value: 'STATUS', about: 'Only answers like 404 or 4xx' },
    code: {
      type: 'string',
      value: 'CODE',
      about: 'Only answers with this problem code, such as AVAIL-N-005',
    },
    method: { type: 'string', value: 'METHOD', about: 'Only calls by this method' },
    lines: {
      type: 'string',
      short: 'n',
      value: 'COUNT',
      about: `How many to begin with; ${DEFAULT_LINES} if not given`,
    },
    once: { type: 'boolean', about: 'Print those and end' },
  },
  examples: [
    'maitred logs tail',
    'maitred logs tail --status 4xx',
    'maitred logs tail --code AVAIL-N-005 --once --json',
  ],
  async run({ options }, { out, connect, signal }) {
    const { status, code, method, once } = options;
    if (status && !/^[1-5](xx|\d\d)$/.test(status)) throw new UsageError('--status takes 404, or 4xx.');
    const filter = {
      ...(status && { status }),
      ...(code && { code }),
      ...(method && { method: method.toUpperCase() }),
    };
    const lines = readCount('--lines', options.lines ?? DEFAULT_LINES);
    const maitred = await connect();
    const read = (from?: string) => entries(maitred, { ...filter, ...(from && { from }) }, signal);
    const beginning = await newest(read(), lines);
    const printed = createPrinted(beginning.length < lines ? undefined : beginning.at(-1));
    const show = (found: readonly LoggedRequest[]) => {
      // The newest come first.
      for (const entry of found.toReversed())
        if (printed.add(entry)) out.entry(entry, () => lineOf(out, entry));
    };
    show(beginning);
    let isDown = false;
    while (!once && !signal.aborted) {
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
      try {
        show(await newest(read(printed.from()), Number.POSITIVE_INFINITY));
        isDown = false;
      } catch (error) {
        const isPassing = error instanceof ConnectionError || (isProblem(error) && error.isRetryable);
        if (!isPassing) throw error;
        if (!isDown) out.note('The service does not answer; waiting for it …');
        isDown = true;
      }
    }
  },
});

type Filter = { status?: string; code?: string; method?: string };

/** The newest first, page by page: more calls than a page has may have come since the last time. */
async function* entries(maitred: Maitred, filter: Filter & { from?: string }, signal: AbortSignal) {
  for await (const entry of maitred.requestLog.list({ ...filter, limit: PAGE }, { signal }))
    if (entry.route !== OWN_ROUTE) yield entry;
}

async function newest(found: AsyncIterable<LoggedRequest>, count: number): Promise<LoggedRequest[]> {
  const first: LoggedRequest[] = [];
  for await (const entry of found) {
    first.push(entry);
    if (first.length >= count) break;
  }
  return first;
}

/** Which entries are printed already, and from when on to ask again; what is before the oldest is not wanted. */
function createPrinted(oldest: LoggedRequest | undefined) {
  const beginMs = oldest ? Date.parse(oldest.at) : 0;
  const seen = new Map<string, number>();
  // The clock of the service as the newest entry shows it; without any, ours, which may be a little off.
  let clock = { serviceMs: Date.now() - CLOCKS_DIFFER_MS, localMs: performance.now() };
  const fromMs = () => clock.serviceMs + (performance.now() - clock.localMs) - OVERLAP_MS;
  return {
    from(): string {
      for (const [id, ms] of seen) if (ms < fromMs()) seen.delete(id);
      return new Date(fromMs()).toISOString();
    },
    /** Whether it is new. */
    add({ id, at }: LoggedRequest): boolean {
      const ms = Date.parse(at);
      if (seen.has(id) || ms < beginMs) return false;
      seen.set(id, ms);
      if (ms > clock.serviceMs) clock = { serviceMs: ms, localMs: performance.now() };
      return true;
    },
  };
}

const COLOURS: Record<string, Style> = { 2: 'green', 3: 'green', 4: 'yellow', 5: 'red' };

function lineOf(
  out: Output,
  { at, method, route, venueId, status, code, durationMs, clientId }: LoggedRequest,
): string {
  const answered = status === null ? 'gone' : String(status);
  return [
    printable(at).slice(11, 23),
    out.style(COLOURS[answered[0] ?? ''] ?? 'dim', answered.padEnd(4)),
    printable(method).padEnd(6),
    printable(route),
    venueId && out.style('dim', printable(venueId)),
    code && printable(code),
    out.style('dim', `${durationMs.toFixed(1)} ms`),
    out.style('dim', printable(clientId)),
  ]
    .filter(Boolean)
    .join('  ');
}
