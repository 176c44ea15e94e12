/** Steps back and forth through what was edited. */
export interface EditHistory<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** What the last step was about: steps of the same kind in a row are one, such as the letters of a name. */
  about: string | null;
}

const MOST_STEPS = 200;

export const startHistory = <T>(present: T): EditHistory<T> => ({
  past: [],
  present,
  future: [],
  about: null,
});

export function record<T>(history: EditHistory<T>, present: T, about: string | null = null): EditHistory<T> {
  if (present === history.present) return history;
  const isSameStep = about !== null && about === history.about;
  return {
    past: isSameStep ? history.past : [...history.past, history.present].slice(-MOST_STEPS),
    present,
    future: [],
    about,
  };
}

export function undo<T>({ past, present, future }: EditHistory<T>): EditHistory<T> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future, about: null };
  return { past: past.slice(0, -1), present: before, future: [present, ...future], about: null };
}

export function redo<T>({ past, present, future }: EditHistory<T>): EditHistory<T> {
  const [after, ...rest] = future;
  if (after === undefined) return { past, present, future, about: null };
  return { past: [...past, present], present: after, future: rest, about: null };
}
