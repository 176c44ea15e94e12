/**
 * How far a screen has read the changes of a venue: a snapshot of the database, and the cluster that it belongs to.
 * Transactions that a snapshot does not contain are new to its reader.
 */
export interface Position {
  /** System identifier and timeline: a restored or promoted database counts transactions differently. */
  cluster: string;
  /** As PostgreSQL writes it: xmin, xmax and the transactions in progress between them. */
  snapshot: string;
}

const MAX_LENGTH = 8192;
const POSITION = /^(\d{1,20}-[\dA-F]{8})\.((\d{1,18}):(\d{1,18}):((?:\d{1,18},)*\d{1,18})?)$/;

export const positionText = ({ cluster, snapshot }: Position): string => `${cluster}.${snapshot}`;

/** Undefined where the text is not one of ours; PostgreSQL would refuse the statement. */
export function parsePosition(text: string): Position | undefined {
  const match = text.length <= MAX_LENGTH ? POSITION.exec(text) : null;
  if (!match) return undefined;
  const [, cluster = '', snapshot = '', xmin = '', xmax = '', running] = match;
  const [first, end] = [BigInt(xmin), BigInt(xmax)];
  const ids = running === undefined ? [] : running.split(',').map(BigInt);
  const isInOrder = ids.every((id, index) => id >= first && id < end && id > (ids[index - 1] ?? 0n));
  return first > 0n && first <= end && isInOrder ? { cluster, snapshot } : undefined;
}
