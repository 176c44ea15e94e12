/** Does something with each, so many at a time. All are tried; if some failed, the first failure is thrown in the end. */
export async function mapConcurrently<Item>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = items.values();
  const workOff = async () => {
    for (const item of waiting) await work(item).catch((error) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, workOff));
  if (failures.length > 0) throw failures[0];
}
