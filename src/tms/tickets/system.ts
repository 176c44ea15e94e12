import type { LocalSystem } from '../local-system.ts';
import { catalogue } from './catalogue.ts';
import { createTickets } from './connector.ts';
import { occurrences } from './occurrence-store.ts';
import { occurrencesOf } from './store.ts';

/** Ticketed events: they are open when they take place. */
export const tickets: LocalSystem<'tickets'> = {
  slug: 'tickets',
  connect: () => createTickets(),
  catalogue,
  hoursOf: occurrencesOf,
  occurrences,
};
