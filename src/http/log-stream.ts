import pino from 'pino';

const BATCH_BYTES = 8192;
const LONGEST_WAIT_MS = 100;

let output: ReturnType<typeof pino.destination> | undefined;

/**
 * Standard output for log lines, written in batches: a system call per line would cost as much as the rest of the
 * line. Nothing waits longer than a moment, and what waits when the process ends is written then.
 */
export function logOutput() {
  if (output) return output;
  const stream = pino.destination({
    dest: 1,
    sync: true,
    minLength: BATCH_BYTES,
    periodicFlush: LONGEST_WAIT_MS,
  });
  process.once('exit', () => stream.flushSync());
  output = stream;
  return stream;
}
