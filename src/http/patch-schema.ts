import { Type } from 'typebox';
import { MAX_OPERATIONS } from '../kernel/patch.ts';
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
export const patchBody = (example: { op: string; path: string; value?: unknown }[]) =>
  Type.Array(PatchOperation, { maxItems: MAX_OPERATIONS, examples: [example] });
