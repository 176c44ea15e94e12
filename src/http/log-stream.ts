import pino from 'pino';

const BATCH_LENGTH = 32_768;
const LONGEST_WAIT_MS = 100;

export interface LogOutput {
  write(line: string): void;
  /** pino calls it after a line of level `fatal`, which may be the last one. */
  flushSync(): void;
}

let output: LogOutput | undefined;

/**
 * Standard output for log lines, written in batches: a system call per line would cost as much as the rest of the
 * line. Nothing waits longer than a moment, and what waits when the process ends is written then. pino's stream can
 * wait for a batch too, but measures all that waits again for each line that joins it.
 */
export function logOutput(): LogOutput {
  if (output) return output;
  const stream = pino.destination({ dest: 1, sync: true });
  let waiting = '';
  const writeBatch = () => {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    stream.write(lines);
  };
  output = {
    write(line) {
      waiting += line;
      if (waiting.length >= BATCH_LENGTH) writeBatch();
    },
    flushSync() {
      writeBatch();
      stream.flushSync();
    },
  };
  setInterval(writeBatch, LONGEST_WAIT_MS).unref();
  process.once('exit', () => output?.flushSync());
  return output;
}
