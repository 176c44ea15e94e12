/**
 * Where files are made: in a thread of its own, so that the node goes on answering meanwhile. A thread that dies is
 * followed by another with the next venue.
 */
import { Worker } from 'node:worker_threads';
import type { Config } from '../../config.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { Made } from './make.ts';

export interface MakeRequest {
  venueId: VenueId;
  lease: string;
  nowMs: number;
  isFull: boolean;
}

export interface Engine {
  make(request: MakeRequest): Promise<Made>;
  stop(): Promise<void>;
}

export interface EngineOptions
  extends Pick<Config, 'dataDir' | 'feedBucket' | 'feedBucketEndpoint' | 'feedUrl'> {
  databaseUrl: string;
  databaseReadUrl?: string | undefined;
}

export type FromThread = { id: number } & ({ made: Made } | { failure: string });

export function startEngine(options: EngineOptions): Engine {
  const waiting = new Map<number, PromiseWithResolvers<Made>>();
  let thread: Worker | undefined;
  let asked = 0;

  function start(): Worker {
    const started = new Worker(new URL('./thread.ts', import.meta.url), { workerData: options });
    started.on('message', (answer: FromThread) => {
      const request = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('made' in answer) request?.resolve(answer.made);
      else request?.reject(new Error(answer.failure));
    });
    const fail = (error: Error) => {
      // A thread that ends with an error emits two events, and by the second a new one may run.
      if (thread !== started) return;
      thread = undefined;
      for (const request of waiting.values()) request.reject(error);
      waiting.clear();
    };
    started.on('error', fail);
    started.on('exit', (code) => fail(new Error(`The thread of the feed ended with ${code}.`)));
    // A node is not kept running by it.
    started.unref();
    return started;
  }

  return {
    make(request) {
      thread ??= start();
      asked += 1;
      const answer = Promise.withResolvers<Made>();
      waiting.set(asked, answer);
      thread.postMessage({ id: asked, ...request });
      return answer.promise;
    },

    async stop() {
      await thread?.terminate();
    },
  };
}
