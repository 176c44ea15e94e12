/** Screens that followed a day, across cuts and nodes that died: in the end each shows what the diary says. */
import { isDeepStrictEqual } from 'node:util';
import type { Shown } from '../actors/screens.ts';
import type { Evidence } from '../evidence.ts';

const KINDS = ['booking', 'block', 'closure'] as const;

export function checkScreens({ screens }: Evidence): string[] {
  return screens.flatMap(({ name, shown, diary }) => {
    if (!diary) return [`nobody could read the diary that ${name} shows`];
    return KINDS.flatMap((kind) => differences(name, kind, [shown, diary]));
  });
}

function differences(name: string, kind: (typeof KINDS)[number], [shown, diary]: [Shown, Shown]): string[] {
  const [screen, day] = [shown[kind], diary[kind]];
  const ids = new Set([...screen.keys(), ...day.keys()]);
  return [...ids].flatMap((id) => {
    const [seen, stands] = [screen.get(id), day.get(id)];
    if (!stands) return [`${name} shows ${kind} ${id}, which is not in the diary`];
    if (!seen) return [`${name} does not show ${kind} ${id}`];
    return isDeepStrictEqual(seen, stands)
      ? []
      : [`${name} shows ${kind} ${id} as ${JSON.stringify(seen)}, and it is ${JSON.stringify(stands)}`];
  });
}
