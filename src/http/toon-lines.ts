/** How the lines of TOON begin. The members of answers have the same few names all the time, at the same depths. */
import { keyText } from './toon-words.ts';

/** The beginning of a line up to its key, by itself and with the colon before a single value. */
export interface Start {
  open: string;
  colon: string;
}

/** Starts that differ in their keys. */
export interface Starts {
  of(key: string): Start;
}

export interface Level {
  /** A line break and the spaces after it. */
  indent: string;
  /** For the members of an object, and for the first of them where the object is an item and stands after a dash. */
  members: Starts;
  firsts: Starts;
}

const STEP = '  ';
const KEPT_LEVELS = 32;
/** Where keys are names that people chose there is no end of them. */
const KEPT_KEYS = 1000;

const indentAt = (depth: number) => `\n${STEP.repeat(depth)}`;

function newLevel(depth: number): Level {
  const indent = indentAt(depth);
  // The first line of a document is begun already.
  const dash = depth === 0 ? '' : `${indentAt(depth - 1)}- `;
  return { indent, members: startsAfter(indent), firsts: startsAfter(dash) };
}

function startsAfter(before: string): Starts {
  const known = new Map<string, Start>();
  return {
    of(key) {
      const start = known.get(key);
      if (start) return start;
      if (known.size === KEPT_KEYS) known.clear();
      // Joined, not added: sums are kept as trees, and this one would be walked again for every line.
      const open = [before, keyText(key)].join('');
      const made = { open, colon: [open, ': '].join('') };
      known.set(key, made);
      return made;
    },
  };
}

/** Of what is deeper nothing is kept. */
const levels = Array.from({ length: KEPT_LEVELS }, (_, depth) => newLevel(depth));

export function levelAt(depth: number): Level {
  return levels[depth] ?? newLevel(depth);
}

/** Keys in the header of a table begin no line. */
export const columns = startsAfter('');
