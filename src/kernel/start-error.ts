/** A node that cannot start; its message is one sentence for the person who starts it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What went wrong, in the system's own few words, without a stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
