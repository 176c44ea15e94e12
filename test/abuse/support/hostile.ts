/** The hostile values of the fuzzer as arbitraries, for laws about one parameter. */
import fc from 'fast-check';
import { HOSTILE_IDS, HOSTILE_TEXTS } from '../../../proof/abuse/requests/hostile-values.ts';

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 120 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 120 }) },
);

/** Injected addresses are resolved like those of a browser, which takes dots for steps; raw sockets try those. */
const isStep = (id: string) => id === '.' || id === '..';

export const idText = fc.oneof(fc.constantFrom(...HOSTILE_IDS), hostileText).filter((id) => !isStep(id));

/** Names that exist and the signs between them, in any order. */
export const fieldSoup = fc
  .array(
    fc.constantFrom(
      ...['id', 'name', 'products', 'compositeId', 'spaces', 'capacitySeated', 'max', 'location', 'lat'],
      ...['types', 'data', 'meta', 'preorders', 'menus', 'items', 'bookingRequirements', 'company', 'x'],
      ...['(', '(', ')', ')', ',', ',', ',', ' ', '.', '*', '__proto__', '-', '%', '\n'],
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''));
