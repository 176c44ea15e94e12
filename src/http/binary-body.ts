import type { FastifyRequest } from 'fastify';
import { refuseCompressed } from './json-body.ts';
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
    async (request: FastifyRequest, bytes: Buffer) => {
      refuseCompressed(request);
      return bytes;
    },
  );
  // There are no fields in bytes.
  scope.setValidatorCompiler((route) =>
    route.httpPart === 'body' ? () => true : validatorCompiler(route as never),
  );
}
