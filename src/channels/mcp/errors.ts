/** Refusals, twice: of a whole HTTP request, and of a tool that a model has called. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Type } from 'typebox';
import { type ProblemForm, retryAfterOf } from '../../http/problems/problem-body.ts';
import { isObject, named } from '../../http/validation/schema-helpers.ts';
import type { FieldErrors, Problem } from '../../kernel/problem.ts';
import { catalogue } from '../../kernel/problem-catalogue.ts';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** Of the range that JSON-RPC leaves to servers. */
const REFUSED = -32_000;

const RpcRefusal = Type.Object(
  {
    jsonrpc: Type.String(),
    id: Type.Union([Type.String(), Type.Number(), Type.Null()], {
      description: 'Of the request; null where it was refused before it was read',
    }),
    error: Type.Object({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Object(
        { code: Type.String(), isRetryable: Type.Boolean(), errors: Type.Optional(Type.Unknown()) },
        { description: 'Our code, and further members of the problem' },
      ),
    }),
  },
  named('McpRefusal', 'A request that was refused as a whole, as JSON-RPC writes it'),
);

/** A challenge tells where to read how tokens are had (RFC 9728, 5.1). */
export const mcpForm = (resourceMetadata: string): ProblemForm => ({
  schema: RpcRefusal,
  write({ code, status, isRetryable, options }, sent) {
    const { detail, errors, extensions, headers } = options;
    const challenge = headers?.['WWW-Authenticate'];
    const data = { code, isRetryable, ...(errors && { errors }), ...extensions };
    return {
      status,
      body: {
        jsonrpc: '2.0',
        id: idOf(sent),
        error: {
          code: rpcCodeOf(errors, sent),
          message: detail ?? catalogue[code].meaning,
          data,
        },
      },
      ...(challenge !== undefined && {
        headers: { 'WWW-Authenticate': withParameter(challenge, `resource_metadata="${resourceMetadata}"`) },
      }),
    };
  },
});

/** The first parameter of a challenge comes after a space, others after a comma. */
const withParameter = (challenge: string, parameter: string) =>
  challenge.includes(' ') ? `${challenge}, ${parameter}` : `${challenge} ${parameter}`;

function idOf(sent: unknown): string | number | null {
  const id = isObject(sent) ? sent.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Without a body that could be read there is nothing that was sent; what was read may still be no message. */
function rpcCodeOf(errors: FieldErrors | undefined, sent: unknown): number {
  if (errors?.body === undefined) return REFUSED;
  return sent === undefined ? PARSE_ERROR : INVALID_REQUEST;
}

/** For the model: the code, what is wrong with this call, what to do about it, and the members that name values. */
export function toolError(refusal: Problem, correlationId: string): CallToolResult {
  const { code, options } = refusal;
  const { meaning, remedy } = catalogue[code];
  const members = {
    ...(options.errors && { errors: options.errors }),
    ...options.extensions,
    ...(code === 'HTTP-R-500' && { correlationId }),
  };
  const lines = [
    `${code}: ${options.detail ?? meaning}`,
    `${remedy}${whenAgain(refusal)}`,
    ...(Object.keys(members).length > 0 ? [JSON.stringify(members)] : []),
  ];
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] };
}

/** Where it may have been carried out, the same call is not simply sent again. */
function whenAgain(refusal: Problem): string {
  const seconds = retryAfterOf(refusal);
  if (seconds === undefined || refusal.options.extensions?.isOutcomeKnown === false) return '';
  return ` The same call may succeed in ${seconds} seconds (Retry-After).`;
}
