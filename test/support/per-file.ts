/** Files share a process, so what helpers count for the tests of one file begins anew with the next. */
const resets: (() => void)[] = [];

/** Called now, and before each further file. */
export function atEachFile(reset: () => void): void {
  resets.push(reset);
  reset();
}

export function beginFile(): void {
  for (const reset of resets) reset();
}
