import { outsideRequest } from '../kernel/request-scope.ts';
import type { Tx } from './database.ts';

interface Batch<Question, Answer> {
  places: Map<string, number>;
  questions: Question[];
  answers: Promise<Answer[]>;
}

/**
 * Sends all questions of one event-loop tick to the database as one batch, equal questions once. Never returns data
 * read before the call, because nothing is sent before the tick ends.
 */
export function batchLoader<Question, Answer>(
  keyOf: (question: Question) => string,
  askAll: (tx: Tx, questions: readonly Question[]) => Promise<Answer[]>,
): (tx: Tx, question: Question) => Promise<Answer> {
  const batches = new WeakMap<Tx, Batch<Question, Answer>>();

  function begin(tx: Tx): Batch<Question, Answer> {
    const questions: Question[] = [];
    const answers = endOfTick().then(() => {
      batches.delete(tx);
      // Several requests share the batch: it must not fail because the caller of the first one has disconnected.
      return outsideRequest(() => askAll(tx, questions));
    });
    return { places: new Map(), questions, answers };
  }

  return async (tx, question) => {
    const { places, questions, answers } = batches.getOrInsertComputed(tx, begin);
    const place = places.getOrInsertComputed(keyOf(question), () => questions.push(question) - 1);
    return (await answers)[place] as Answer;
  };
}

/** Waits until input that has already arrived on other connections is processed, so that it joins the batch. */
function endOfTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
