import type { FastifyRequest } from 'fastify';
import { READ_ONLY, SILENT } from '../../db/driver.ts';
import { codeOf, invalid, Problem, problem } from '../../kernel/problem.ts';
import { NOT_WANTED } from '../../kernel/request-scope.ts';
import { TOO_LATE } from '../limits/deadline.ts';
import { MAX_URL_LENGTH } from '../request-hygiene.ts';

/** Those refusals of Fastify's own that can still occur, in terms of our catalogue. Any other is a mistake of ours. */
const refusals: Record<string, () => Problem> = {
  FST_ERR_BAD_URL: () => invalid('path', 'is not properly percent-encoded'),
  FST_ERR_MAX_PARAM_LENGTH: () => invalid('path', 'has a segment that is too long'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => invalid('body', 'is not as long as Content-Length says'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => problem('HTTP-N-413'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => problem('HTTP-N-415'),
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: () => problem('HTTP-N-415'),
};

/** The codes of the driver and of PostgreSQL for a database that is unreachable: the statement got no answer. */
const DATABASE_IS_AWAY = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ETIMEDOUT'],
  ...['57P01', '57P02', '57P03', '08000', '08001', '08003', '08006', '25P03'],
  ...[SILENT, TOO_LATE, NOT_WANTED],
]);
/** Statements that the database refused and rolled back, and will accept a moment later. */
const REFUSED_FOR_NOW = new Set([
  '55P03',
  // It took longer than a statement may.
  '57014',
  // Still a deadlock after several attempts.
  '40P01',
  // A row it refers to was removed meanwhile; the retry names which.
  '23503',
  // The host became a standby; the retry finds the one that takes writes.
  READ_ONLY,
]);

/** The database is out of disk, memory or connections (class 53), and has rolled back what it could not do. */
export const isShortage = (code: string | undefined) => /^53[0-9A-Z]{3}$/.test(code ?? '');

/** Any error as a problem. Unexpected errors become `HTTP-R-500`; a cause is kept for the log. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = codeOf(error);
  if (code !== undefined && (DATABASE_IS_AWAY.has(code) || REFUSED_FOR_NOW.has(code) || isShortage(code)))
    return problem('HTTP-R-503', { cause: error });
  const refusal = code !== undefined && Object.hasOwn(refusals, code) ? refusals[code] : undefined;
  return refusal?.() ?? problem('HTTP-R-500', { cause: error });
}

/** A database that goes away may have committed before; a commit may even be what it was last asked for. */
const IN_DOUBT = {
  detail:
    'There was no answer from the database in time: it is not known whether this was carried out. Look, or repeat the request with the same Idempotency-Key, partnerBookingId or partnerOrderId.',
  extensions: { isOutcomeKnown: false },
};

/** The same for errors of work that may have written something. */
export function asProblemOfWrite(error: unknown, mayHaveWritten: boolean): Problem {
  const isInDoubt =
    mayHaveWritten && !(error instanceof Problem) && DATABASE_IS_AWAY.has(codeOf(error) ?? '');
  return isInDoubt ? problem('HTTP-R-503', { ...IN_DOUBT, cause: error }) : asProblem(error);
}

/** The same for errors of a request: a caller that disconnects in the middle of a body is no failure of ours. */
export function refusalOf(error: unknown, request: FastifyRequest): Problem {
  if (request.raw.complete === false && codeOf(error) === 'ECONNRESET')
    return invalid('body', 'did not arrive completely');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return asProblemOfWrite(error, !isRead && (request.scope?.mayHaveWritten ?? true));
}

/** What Node's HTTP parser gives up on never becomes a request; these are the reasons it can give. */
export function problemOfMalformedHttp(error: { code?: string; rawPacket?: unknown }): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem(isInRequestLine(error.rawPacket) ? 'HTTP-N-414' : 'HTTP-N-431');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return invalid('request', 'did not arrive in time');
    default:
      return invalid('request', 'is not well-formed HTTP');
  }
}

/** The parser does not say where it was, so the first line tells: its own length, or that it has no end yet. */
function isInRequestLine(packet: unknown): boolean {
  const text = Buffer.isBuffer(packet) ? packet.toString('latin1') : '';
  const end = text.indexOf('\r\n');
  return /^[A-Z-]+ \S/.test(text) && (end < 0 || end > MAX_URL_LENGTH);
}
