/** Refusals, twice: of a whole HTTP request, and of a tool that a model has called. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Type } from 'typebox';
import type { ProblemForm } from '../../http/problems/problem-body.ts';
import { named } from '../../http/validation/schema-helpers.ts';
import type { Problem } from '../../kernel/problem.ts';
import { catalogue } from '../../kernel/problem-catalogue.ts';

const PARSE_ERROR = -32_700;
/** Of the range that JSON-RPC leaves to servers. */
const REFUSED = -32_000;

const RpcRefusal = Type.Object(
  {
    jsonrpc: Type.String(),
    id: Type.Null(),
    error: Type.Object({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Object(
        { code: Type.String(), isRetryable: Type.Boolean(), errors: Type.Optional(Type.Unknown()) },
        { description: 'Our code, and further members of the problem' },
      ),
    }),
  },
  named('McpRefusal', 'A request that was refused before its method was read, as JSON-RPC writes it'),
);

/** A challenge tells where to read how tokens are had (RFC 9728, 5.1). */
export const mcpForm = (resourceMetadata: string): ProblemForm => ({
  schema: RpcRefusal,
  write({ code, status, isRetryable, options }) {
    const { detail, errors, extensions, headers } = options;
    const challenge = headers?.['WWW-Authenticate'];
    const data = { code, isRetryable, ...(errors && { errors }), ...extensions };
    return {
      status,
      body: {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: errors?.body === undefined ? REFUSED : PARSE_ERROR,
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

/** For the model: the code, what is wrong with this call, what to do about it, and the members that name values. */
export function toolError({ code, isRetryable, options }: Problem): CallToolResult {
  const { meaning, remedy } = catalogue[code];
  const members = { ...(options.errors && { errors: options.errors }), ...options.extensions };
  const lines = [
    `${code}: ${options.detail ?? meaning}`,
    isRetryable ? `${remedy} The same call may succeed later.` : remedy,
    ...(Object.keys(members).length > 0 ? [JSON.stringify(members)] : []),
  ];
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] };
}
