/** What everybody asked for and what they were told, in one order: the only thing that the checker has from clients. */
import { createWriteStream } from 'node:fs';

export interface Entry {
  actor: string;
  /** The client whose token was sent; null: none. */
  client: string | null;
  /** As the OpenAPI document has it, such as `POST /v1/orders`. */
  route: string;
  /** Of `POST /mcp`. */
  tool?: string;
  path: string;
  /** Two moments on one count that all entries share: something told before another was sent came first. */
  sent: number;
  told: number;
  /** Null: the connection broke, and nobody knows what was done. */
  status: number | null;
  /** Of a refusal; `unreached` when the request never left. */
  code: string | null;
  key: string | null;
  /** What one wish for a booking is known by, whatever becomes of it. */
  mark: number | null;
  body: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by those who know the route.
  answer: any;
}

export interface Journal {
  entries: Entry[];
  /** The next moment. */
  tick(): number;
  write(entry: Entry): void;
  close(): Promise<void>;
}

/** Kept in memory, and in a file for whoever looks into a failure. */
export function openJournal(file: string): Journal {
  const stream = createWriteStream(file);
  const entries: Entry[] = [];
  let moment = 0;
  return {
    entries,
    tick: () => ++moment,
    write(entry) {
      entries.push(entry);
      stream.write(`${JSON.stringify(entry)}\n`);
    },
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}

export const isDone = ({ status }: Entry) => status !== null && status < 300;
/** Nobody can say whether it was carried out. */
export const isCut = ({ status, code, answer }: Entry) =>
  (status === null && code !== 'unreached') || answer?.isOutcomeKnown === false;
export const isWrite = ({ route }: Entry) => !route.startsWith('GET ');
