import { outsideRequest } from '../kernel/request-scope.ts';
import type { Tx } from './database.ts';

interface Turn<Question, Answer> {
  places: Map<string, number>;
  questions: Question[];
  answers: Promise<Answer[]>;
}

/**
 * Puts to the database together what comes up in one turn of the event loop, and equal questions once. Nobody is
 * given what was read before they asked, because nothing is sent before the turn ends.
 */
export function inSameTurn<Question, Answer>(
  keyOf: (question: Question) => string,
  askAll: (tx: Tx, questions: readonly Question[]) => Promise<Answer[]>,
): (tx: Tx, question: Question) => Promise<Answer> {
  const turns = new WeakMap<Tx, Turn<Question, Answer>>();

  function begin(tx: Tx): Turn<Question, Answer> {
    const questions: Question[] = [];
    const answers = endOfTurn().then(() => {
      turns.delete(tx);
      // Several requests share it: it must not fail because the caller of the first one has gone.
      return outsideRequest(() => askAll(tx, questions));
    });
    return { places: new Map(), questions, answers };
  }

  return async (tx, question) => {
    const { places, questions, answers } = turns.getOrInsertComputed(tx, begin);
    const place = places.getOrInsertComputed(keyOf(question), () => questions.push(question) - 1);
    return (await answers)[place] as Answer;
  };
}

/** What has arrived on other connections meanwhile is read first, so that all of it goes together. */
function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
