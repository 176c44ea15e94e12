/** Random choices that are the same at every start, so that two people with a new sandbox see the same guests. */
export interface Random {
  /** Both belong to it. */
  integer(least: number, most: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Of pairs of a value and its weight. */
  weighted<Item>(items: readonly (readonly [Item, number])[]): Item;
}

/** The generator is mulberry32: short, and good enough for names. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const pick = <Item>(items: readonly Item[]): Item => items[integer(0, items.length - 1)] as Item;

  return {
    integer,
    pick,
    chance: (share) => next() < share,
    weighted<Item>(items: readonly (readonly [Item, number])[]): Item {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      return items[0]?.[0] as Item;
    },
  };
}
