/** Refusals as OCTO writes them, with our code in a member of its own. */
import type { ProblemForm } from '../../http/problems/problem-body.ts';
import { Problem, type ProblemCode, problem } from '../../kernel/problem.ts';
import { catalogue } from '../../kernel/problem-catalogue.ts';
import { OctoError } from './schema.ts';

const IDS = {
  productId: 'INVALID_PRODUCT_ID',
  optionId: 'INVALID_OPTION_ID',
  unitId: 'INVALID_UNIT_ID',
  availabilityId: 'INVALID_AVAILABILITY_ID',
  uuid: 'INVALID_BOOKING_UUID',
} as const;

/** The member that names the id, and the error of OCTO that goes with it. */
export function invalidId(member: keyof typeof IDS, id: string, code: ProblemCode, detail: string): Problem {
  return problem(code, { detail, extensions: { error: IDS[member], [member]: id } });
}

/** A refusal of a service that is about an id which the caller has sent. */
export function namingId(member: keyof typeof IDS, id: string, error: unknown): unknown {
  if (!(error instanceof Problem) || error.status >= 500) return error;
  return invalidId(member, id, error.code, error.options.detail ?? catalogue[error.code].meaning);
}

/** Understood, and refused. */
export const unprocessable = (code: ProblemCode, detail: string) =>
  problem(code, { detail, extensions: { error: 'UNPROCESSABLE_ENTITY' } });

/** Statuses that say something which OCTO has no code for; everything else that callers cause is 400 there. */
const KEPT: Record<number, string> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'BAD_REQUEST',
  412: 'BAD_REQUEST',
  413: 'BAD_REQUEST',
  414: 'BAD_REQUEST',
  415: 'BAD_REQUEST',
  429: 'TOO_MANY_REQUESTS',
  431: 'BAD_REQUEST',
};

const isOfTransport = (code: ProblemCode) => /^(HTTP|IDENT|USER|RATE)-/.test(code);

export const octoForm: ProblemForm = {
  schema: OctoError,
  write(refusal) {
    const { code, status, isRetryable, options } = refusal;
    const { error, ...extensions } = options.extensions ?? {};
    const kept = isOfTransport(code) ? KEPT[status] : undefined;
    const own =
      status >= 500
        ? 'INTERNAL_SERVER_ERROR'
        : (kept ?? (status === 400 ? 'BAD_REQUEST' : 'UNPROCESSABLE_ENTITY'));
    return {
      status: status >= 500 || kept !== undefined ? status : 400,
      body: {
        error: error ?? own,
        errorMessage: options.detail ?? catalogue[code].meaning,
        code,
        isRetryable,
        ...(options.errors && { errors: options.errors }),
        ...extensions,
      },
    };
  },
};
