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
      data: Type.Object({ code: Type.String(), isRetryable: Type.Boolean() }),
    }),
  },
  named('McpRefusal', 'A request that was refused before its method was read, as JSON-RPC writes it'),
);

export const mcpForm: ProblemForm = {
  schema: RpcRefusal,
  write({ code, status, isRetryable, options }) {
    const isOfBody = status === 400 && options.errors?.body !== undefined;
    return {
      status,
      body: {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: isOfBody ? PARSE_ERROR : REFUSED,
          message: options.detail ?? catalogue[code].meaning,
          data: {
            code,
            isRetryable,
            ...(options.errors && { errors: options.errors }),
            ...options.extensions,
          },
        },
      },
    };
  },
};

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
