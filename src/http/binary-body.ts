import type { FastifyRequest } from 'fastify';
import { problem } from '../kernel/problem.ts';
import type { App } from './route.ts';
import { validatorCompiler } from './validation.ts';

const MEDIA_TYPE = 'application/octet-stream';

/** What the OpenAPI document says of such a body. */
export const binaryBody = (description: string) => ({
  description,
  content: {
    [MEDIA_TYPE]: { schema: { type: 'string', format: 'binary', examples: ['(bytes of the file)'] } },
  },
});

/** Routes of this scope take bytes as they are, and nothing else. */
export function installBinaryBody(scope: App, bodyLimit: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    MEDIA_TYPE,
    { parseAs: 'buffer', bodyLimit },
    (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      const encoding = request.headers['content-encoding'];
      const isPlain = encoding === undefined || encoding.toLowerCase() === 'identity';
      done(isPlain ? null : problem('HTTP-N-415', { detail: 'Compressed bodies are not accepted.' }), bytes);
    },
  );
  // There are no fields in bytes.
  scope.setValidatorCompiler((route) =>
    route.httpPart === 'body' ? () => true : validatorCompiler(route as never),
  );
}
