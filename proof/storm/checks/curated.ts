/** A curator works on things that nobody else touches: what a change was answered with is what is read next. */
import { isDeepStrictEqual } from 'node:util';
import type { Evidence } from '../evidence.ts';
import { type Entry, isCut, isDone, isWrite } from '../journal.ts';

const CURATOR = 'storm-curator';
/** Where a reading says more than a change, or tells how others are doing. */
const OTHERWISE = /\/(?:health|mandate|credentials|payment-account|layout|photos|webhooks)\b|\/systems\//;

export function checkCurated({ entries }: Evidence): string[] {
  const own = entries.filter(({ actor }) => actor === CURATOR);
  const last = new Map<string, Entry>();
  const found: string[] = [];
  let moved: Entry | undefined;
  for (const entry of own) {
    const { path, route, status, answer } = entry;
    if (route === 'POST /manage/imports' && !path.includes('?')) moved = isDone(entry) ? entry : undefined;
    else if (isWrite(entry)) moved = undefined;
    if (moved && route.endsWith('/export') && status === 200 && !isDeepStrictEqual(answer, moved.body))
      found.push(`${path} was answered ${JSON.stringify(answer)}, imported as ${JSON.stringify(moved.body)}`);
    if (isWrite(entry)) {
      if (isDone(entry) && /^(?:PUT|DELETE) /.test(route) && !path.includes('?')) last.set(path, entry);
      // What is inside of it may have changed with it; and what was cut off may have been done.
      for (const known of last.keys())
        if (known !== path && (known.startsWith(path) || path.startsWith(known))) last.delete(known);
      if (isCut(entry)) last.delete(path);
      continue;
    }
    const change = last.get(path);
    if (!change || OTHERWISE.test(path) || status === null || status === 503) continue;
    const isGone = change.route.startsWith('DELETE ');
    const fits = isGone ? status === 404 : status === 200 && isDeepStrictEqual(answer, change.answer);
    if (!fits)
      found.push(
        `${route} (${path}) was answered ${status} ${JSON.stringify(answer)} after ${change.route} was ${JSON.stringify(change.answer)}`,
      );
  }
  return found;
}
