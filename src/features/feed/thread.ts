/** The other end of `engine.ts`: makes the files of one venue after the other. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openPool } from '../../db/database.ts';
import { openReplicas, primaryReads } from '../../db/reads.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { reasonOf } from '../../kernel/problem.ts';
import type { EngineOptions, FromThread, MakeRequest } from './engine.ts';
import { createLocalMaker } from './local-maker.ts';
import { openStorage } from './storage.ts';

// Requests have priority. On Linux this sets the priority of the thread alone, elsewhere of the whole process.
if (process.platform === 'linux') lowerPriority();

const options = workerData as EngineOptions;
/** Reads half a year of a venue at a time, and no request waits for it. */
const pool = { max: 2, applicationName: 'maitred feed', statementTimeoutMs: DEADLINES.feedStatement };
const sql = openPool(options.databaseUrl, pool);
const { databaseReadUrl } = options;
const reads = databaseReadUrl ? openReplicas(databaseReadUrl, { sql, pool }) : primaryReads(sql);
const make = createLocalMaker({ sql, reads, storage: openStorage(options), feedUrl: options.feedUrl });
const tell = (answer: FromThread) => parentPort?.postMessage(answer);

let last: Promise<void> = Promise.resolve();

parentPort?.on('message', ({ id, ...request }: MakeRequest & { id: number }) => {
  last = last.then(async () => {
    try {
      tell({ id, made: await make(request) });
    } catch (error) {
      tell({ id, failure: reasonOf(error) });
    }
  });
});

function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here: feeds are made at the priority of requests.
  }
}
