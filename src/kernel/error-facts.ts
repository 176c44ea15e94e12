/** What can be said about anything that was thrown. */

/** What went wrong, in the system's own few words, without a stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** The constraint that PostgreSQL says was violated. */
export function constraintOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('constraint_name' in error)) return undefined;
  return typeof error.constraint_name === 'string' ? error.constraint_name : undefined;
}

/** The code that Node, Fastify and PostgreSQL give their errors, such as `ENOENT` or `57P01`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
