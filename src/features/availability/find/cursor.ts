/** How far a search for tables has come, as a short text: a model sends it back word for word. */
import { createHash } from 'node:crypto';
import { invalid } from '../../../kernel/problem.ts';
import type { TableQuestion } from './schema.ts';

export interface Position {
  stage: number;
  /** How many candidates of that stage are done with. */
  offset: number;
  /** Where the candidates end whose starts are being shown; undefined: not chosen yet. */
  end: number | undefined;
  /** How many of the starts at the candidates that come next have been shown. */
  skip: number;
  /** Something has been found there: nothing more is given up. */
  isSettled: boolean;
}

const START: Position = { stage: 0, offset: 0, end: undefined, skip: 0, isSettled: false };
const PATTERN = /^([\w-]{6})\.(\d)\.(\d{1,4})(?:-(\d{1,4}))?\.(\d{1,4})(\.s)?$/;

export function cursorOf(question: TableQuestion, { stage, offset, end, skip, isSettled }: Position): string {
  const chunk = end === undefined ? offset : `${offset}-${end}`;
  return `${digestOf(question)}.${stage}.${chunk}.${skip}${isSettled ? '.s' : ''}`;
}

export function positionOf(question: TableQuestion): Position {
  if (question.cursor === undefined) return START;
  const [, digest, stage, offset, end, skip, settled] = PATTERN.exec(question.cursor) ?? [];
  if (digest === undefined) throw invalid('cursor', 'must be the nextCursor of an answer');
  if (digest !== digestOf(question)) throw invalid('cursor', 'belongs to another question');
  return {
    stage: Number(stage),
    offset: Number(offset),
    end: end === undefined ? undefined : Number(end),
    skip: Number(skip),
    isSettled: settled !== undefined,
  };
}

/** Of all but the page: its size may change on the way. */
function digestOf({ cursor: _, limit: __, near, ...question }: TableQuestion): string {
  const members = Object.entries(question).sort(([a], [b]) => (a < b ? -1 : 1));
  const place = near && [near.lat, near.lng, near.radius];
  return createHash('sha256')
    .update(JSON.stringify([members, place]))
    .digest('base64url')
    .slice(0, 6);
}
