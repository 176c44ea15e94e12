/** Screens at the door: each has the diary of a day, follows its stream, and goes on where it was cut off. */
import { isDeepStrictEqual } from 'node:util';
import type { Spot } from '../world.ts';
import type { Caller } from './caller.ts';

const DIARY = 'GET /manage/venues/{venueId}/diary';
export const STREAM = 'GET /manage/venues/{venueId}/diary/stream';

export interface Thing {
  id: string;
}

/** What a screen shows, by kind: bookings with enquiries, blocks, closures. */
export type Shown = Record<'booking' | 'block' | 'closure', Map<string, Thing>>;

export interface Screen {
  venueId: string;
  date: string;
  shown: Shown;
  /** Changes that its streams have told, and how often it has begun to follow. */
  told: number;
  streams: number;
  keepFollowing(): Promise<void>;
  /** Follows until nothing was told for a while; then what it shows is to be the diary. */
  finish(): Promise<DiaryAnswer | undefined>;
}

interface DiaryAnswer {
  position: string;
  bookings: Thing[];
  enquiries: Thing[];
  blocks: Thing[];
  closures: Thing[];
}

const byId = (things: readonly Thing[]) => new Map(things.map((thing) => [thing.id, thing]));
export const shownOf = ({ bookings, enquiries, blocks, closures }: DiaryAnswer): Shown => ({
  booking: byId([...bookings, ...enquiries]),
  block: byId(blocks),
  closure: byId(closures),
});

/** So long a stream is followed at a time. */
const FOLLOWED_MS = 6000;
const QUIET_MS = 3000;
const MOST_ROUNDS = 8;

export function openScreen(caller: Caller, { venueId }: Spot, date: string): Screen {
  const { stage, name, random } = caller;
  let position: string | undefined;
  const params = { venueId };
  const screen: Screen = {
    ...{ venueId, date, shown: { booking: new Map(), block: new Map(), closure: new Map() } },
    ...{ told: 0, streams: 0, keepFollowing, finish },
  };

  async function read(): Promise<void> {
    const { status, answer } = await caller.ask({ route: DIARY, params, query: { date } });
    if (status !== 200) return;
    position = answer.position;
    screen.shown = shownOf(answer);
  }

  /** False: what is shown is out of date, and has to be read again. */
  function take(block: string): boolean {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
      fields.set(field, value);
    }
    const [event, data, id] = [fields.get('event') ?? '', fields.get('data'), fields.get('id')];
    if (id) position = id;
    if (data === undefined || event === '') return true;
    screen.told += 1;
    if (event === 'venue' || event === 'reset') return false;
    // Who made the change belongs to the event, and not to the entry.
    const { by: _, ...thing } = JSON.parse(data) as Thing & { by: unknown };
    const [kind = '', removed] = event.split('.');
    const things = screen.shown[kind as keyof Shown];
    if (removed) things.delete(thing.id);
    else things.set(thing.id, thing);
    return true;
  }

  /** Until the connection ends, or there was nothing for so long. */
  async function follow(mostMs: number, quietMs = mostMs): Promise<void> {
    const leaving = new AbortController();
    const ended = setTimeout(() => leaving.abort(), mostMs);
    let quiet: NodeJS.Timeout | undefined;
    const awaitQuiet = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => leaving.abort(), quietMs);
    };
    const query = new URLSearchParams({ date });
    const path = `/manage/venues/${encodeURIComponent(venueId)}/diary/stream?${query}`;
    const entry = { actor: name, client: caller.client, route: STREAM, path, sent: stage.journal.tick() };
    let status: number | null = null;
    try {
      const response = await fetch(new URL(path, stage.cluster.address(random)), {
        headers: { ...caller.authorization, ...(position !== undefined && { 'last-event-id': position }) },
        signal: leaving.signal,
      });
      status = response.status;
      if (!response.ok) return;
      screen.streams += 1;
      awaitQuiet();
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          if (/^event: /m.test(block)) awaitQuiet();
          if (!take(block)) await read();
        }
      }
    } catch {
      // The node died, or this screen was switched off; it goes on from its position.
    } finally {
      clearTimeout(ended);
      clearTimeout(quiet);
      stage.journal.write({
        ...{ ...entry, told: stage.journal.tick(), status, code: status === null ? 'unreached' : null },
        ...{ key: null, mark: null, body: null, answer: null },
      });
    }
  }

  async function keepFollowing(): Promise<void> {
    while (!stage.isOver()) {
      if (position === undefined) await read();
      if (position !== undefined) await follow(FOLLOWED_MS * (0.2 + random()));
      await caller.rest(500);
    }
  }

  /** What is missed is never told later; so a screen that is behind may go on, and one that has missed stays wrong. */
  async function finish(): Promise<DiaryAnswer | undefined> {
    let diary: DiaryAnswer | undefined;
    for (let rounds = 0; position !== undefined && rounds < MOST_ROUNDS; rounds += 1) {
      await follow(6 * QUIET_MS, QUIET_MS);
      const { status, answer } = await caller.ask({ route: DIARY, params, query: { date } });
      if (status !== 200) continue;
      diary = answer as DiaryAnswer;
      if (isDeepStrictEqual(screen.shown, shownOf(diary))) break;
    }
    return diary;
  }
  return screen;
}
