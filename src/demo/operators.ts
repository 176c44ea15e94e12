/**
 * The demo data: believable venues that show every trait of the interface, with ids that stay as they are
 * because people write them in examples. Spaces, packages, menus and partner categories of operator N are
 * numbered from N01, and the items of menu M from M01: menu 111 has items 11101, 11102 and so on. Amounts are
 * in pounds everywhere, abroad too: a venue has no currency of its own, and one booking must not mix two.
 */
import type { OperatorDocument } from '../features/venues/transfer/document.ts';
import { blueNote, jazzNight, nightOwl } from './after-dark.ts';
import { availabilityRules, partnerCategories } from './availability-rules.ts';
import { berlin } from './berlin.ts';
import { type City, venuesOf } from './city.ts';
import { gardenRoom } from './garden-room.ts';
import { closedCafe, hiddenKitchen } from './hidden-kitchen.ts';
import { london } from './london.ts';
import { bristol, edinburgh, manchester } from './manchester-edinburgh-bristol.ts';
import { paris } from './paris.ts';
import { sohoGrill } from './soho-grill.ts';

/** Holidays, events and rules lie ahead of `today`; everything else is the same on every day. */
export function demoOperators(today: Temporal.PlainDate): OperatorDocument[] {
  const rules = availabilityRules(today);
  const venuesIn = (...cities: City[]) => cities.flatMap((city) => venuesOf(city, today, rules));
  const systems = ['house', 'tickets'];
  return [
    {
      id: 1,
      name: 'Lamp & Larder',
      systems,
      venues: [sohoGrill(today), gardenRoom(today), closedCafe(today)],
    },
    {
      id: 2,
      name: 'After Dark',
      systems,
      venues: [nightOwl(today), blueNote(today), jazzNight(today)],
    },
    { id: 3, name: 'Hudson Table', systems, venues: [hiddenKitchen(today)] },
    {
      id: 4,
      name: 'Commonplace',
      systems,
      partnerCategories,
      venues: venuesIn(london, manchester, edinburgh, bristol),
    },
    { id: 5, name: 'Voisins', systems, venues: venuesIn(paris, berlin) },
  ];
}
