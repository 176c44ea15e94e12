/** Makes a value once for each key: to make a format takes far longer than to use it. */
export function keep<T>(make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const found = kept.get(key) ?? make(key);
    kept.set(key, found);
    return found;
  };
}
