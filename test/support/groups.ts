/** Which test files share a process. Loading the program costs more than most of them. */
import type { Durations } from './durations.ts';

const GROUP_MS = 30_000;
const MOST_FILES = 20;
/** What a file is taken for that was never run here: these start processes, kill them or load the machine. */
const HEAVY = ['test/browser', 'test/faults', 'test/race', 'test/storm'];
const HEAVY_MS = 20_000;
const LIGHT_MS = 1500;

/** Neighbours up to half a minute of work; the longest groups first, so that no core is left with one at the end. */
export function inGroups(files: readonly string[], durations: Durations): string[][] {
  const expectedMs = (file: string) =>
    durations[file] ?? (HEAVY.some((part) => file.startsWith(part)) ? HEAVY_MS : LIGHT_MS);
  const groups: { files: string[]; ms: number }[] = [];
  for (const file of files) {
    const ms = expectedMs(file);
    const last = groups.at(-1);
    if (last && last.files.length < MOST_FILES && last.ms + ms <= GROUP_MS) {
      last.files.push(file);
      last.ms += ms;
    } else groups.push({ files: [file], ms });
  }
  return groups.sort((a, b) => b.ms - a.ms).map((group) => group.files);
}
