/** Everything that is chosen, from one seed. */
import { pick as pickFrom, type Random, randomFrom } from '../../test/faults/orders/order-random.ts';

export interface Chances {
  random: Random;
  /** True this often. */
  happens(share: number): boolean;
  /** A whole number from 0 to below the bound. */
  below(bound: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Undefined of nothing. */
  maybe<Item>(items: readonly Item[]): Item | undefined;
  /** Letters and digits that were not there before. */
  word(): string;
  /** Characters of any script, and half characters, in any order. */
  text(): string;
  uuid(): string;
}

export function chancesFrom(seed: number): Chances {
  const random = randomFrom(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  let words = 0;
  const hex = (digits: number) => Array.from({ length: digits }, () => below(16).toString(16)).join('');
  return {
    random,
    below,
    happens: (share) => random() < share,
    pick: (items) => pickFrom(random, items),
    maybe: (items) => (items.length === 0 ? undefined : pickFrom(random, items)),
    word() {
      words += 1;
      return `w${words}-${below(1e6).toString(36)}`;
    },
    text: () => String.fromCharCode(...Array.from({ length: below(120) }, () => below(2 ** (7 + below(10))))),
    uuid: () => `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}
