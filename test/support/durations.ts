/** How long each test file took when it was last run, so that the next run can begin with the longest. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'test-durations.json');

export type Durations = Record<string, number>;

export function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'));
  } catch {
    // There was no run before this one.
    return {};
  }
}

export function keepDurations(found: Durations): void {
  mkdirSync(dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify({ ...readDurations(), ...found }, null, 2));
}

/** Called by each process of a run, which all write to one file. */
export function noteDuration(noteFile: string, file: string, ms: number): void {
  appendFileSync(noteFile, `${JSON.stringify([file, Math.round(ms)])}\n`);
}

export function notedDurations(noteFile: string): Durations {
  const lines = readFileSync(noteFile, 'utf8').trim().split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => JSON.parse(line)));
}
