import pino from 'pino';
import { logOptions } from './log-options.ts';
import { logOutput } from './log-stream.ts';

export interface ServiceLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/** For what is not about a request: the same form, and the same place, as the lines of the application. */
export function createServiceLog(
  level: string,
  stream: { write(line: string): void } = logOutput(),
): ServiceLog {
  return pino(logOptions(level), stream);
}
