import { Type } from 'typebox';
import { MAX_OPERATIONS } from '../kernel/patch.ts';
import { PATTERN_MESSAGE } from './openapi-components.ts';
import { named, oneOf } from './schema-words.ts';

const PatchOperation = Type.Object(
  {
    op: oneOf(['add', 'remove', 'replace'] as const),
    path: Type.String({ description: 'A JSON pointer into the document that PUT takes' }),
    value: Type.Optional(Type.Unknown()),
  },
  named('PatchOperation', 'One step of a JSON Patch (RFC 6902)'),
);

/** Read further by `kernel/patch.ts`, which names the operation that is at fault. */
const jsonPatch = (options: object) =>
  Type.Array(PatchOperation, {
    maxItems: MAX_OPERATIONS,
    ...named('JsonPatch', 'Steps that are carried out in order, all or none (RFC 6902)'),
    ...options,
  });

export const JsonPatch = jsonPatch({});

/** As the whole body of a request, which shows an example. */
export const patchBody = (example: { op: string; path: string; value?: unknown }[]) =>
  jsonPatch({
    examples: [example],
    // Many send the fields to change as an object, which is another format (RFC 7396).
    [PATTERN_MESSAGE]: `must be a JSON Patch (RFC 6902), a list of operations such as ${JSON.stringify(example)}`,
  });
