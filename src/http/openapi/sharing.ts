/** Moves what several operations have in common into the components, so that the document says it once. */
import { STATUS_CODES } from 'node:http';
import { isObject, type JsonObject } from '../validation/schema-helpers.ts';
import { sortedByName } from './components.ts';
import { isSharedCode } from './problems.ts';

type Kind = 'responses' | 'parameters' | 'schemas';

interface Operation extends JsonObject {
  operationId: string;
  parameters: JsonObject[];
  requestBody?: { content: Record<string, JsonObject> };
  responses: Record<string, JsonObject>;
}

type Paths = Record<string, Record<string, Operation>>;

/** Something that an operation says: what it might be called where another says the same, and how to replace it. */
interface Use {
  kind: Kind;
  value: JsonObject;
  /** The best name first. The last one is the operation's own, which nothing else has. */
  names: string[];
  replace(reference: JsonObject): void;
}

const pascal = (text: string) =>
  text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The codes in a name; where there are more of them, it is called after an operation. */
const MOST_CODES_IN_NAME = 3;

/** `NotFound_VENUE-N-001`: the status, and the codes that not every operation has. */
function responseNames(status: string, response: JsonObject, { operationId }: Operation): string[] {
  const base = pascal(STATUS_CODES[status] ?? status);
  const own = `${base}_${pascal(operationId)}`;
  const [media] = isObject(response.content) ? Object.values(response.content) : [];
  const codes = Object.keys(isObject(media) && isObject(media.examples) ? media.examples : {});
  const distinctive = codes.filter((code) => !isSharedCode(code));
  return distinctive.length > MOST_CODES_IN_NAME ? [own] : [[base, ...distinctive].join('_'), own];
}

/** Successful answers stay where they are: generators of clients look for them in the operation. */
function usesOf(operation: Operation): Use[] {
  const { operationId, parameters, requestBody, responses } = operation;
  const ownName = pascal(operationId);
  return [
    ...parameters.map((value, index): Use => {
      const name = pascal(String(value.name));
      const replace = (reference: JsonObject) => {
        parameters[index] = reference;
      };
      return { kind: 'parameters', value, names: [name, `${name}_${ownName}`], replace };
    }),
    ...Object.entries(responses).flatMap(([status, value]): Use[] => {
      if (status.startsWith('2') && value.content !== undefined) return [];
      const replace = (reference: JsonObject) => {
        responses[status] = reference;
      };
      return [{ kind: 'responses', value, names: responseNames(status, value, operation), replace }];
    }),
    ...Object.values(requestBody?.content ?? {}).map((media): Use => {
      const replace = (reference: JsonObject) => {
        media.schema = reference;
      };
      // What is sent to make a thing and to replace it is mostly the same, and called after the thing.
      const names = [`${ownName.replace(/^[A-Z][a-z]+/, '')}Body`, `${ownName}Body`];
      return { kind: 'schemas', value: media.schema as JsonObject, names, replace };
    }),
  ].filter(({ value }) => value.$ref === undefined);
}

/** The first free name that all of them could have, or else that of the first operation. */
function nameFor(first: Use, others: Use[], isFree: (name: string) => boolean): string {
  const common = others.length === 0 ? [] : first.names;
  const candidates = common.filter((name) => others.every(({ names }) => names.includes(name)));
  const name = [...candidates, ...first.names.slice(-1)].find(isFree);
  if (name === undefined) throw new Error(`Something else is called ${first.names.join(' and ')} already.`);
  return name;
}

/** Bodies are always named, so that generated clients have a type for them; the rest where it occurs twice. */
export function shareComponents(document: JsonObject): JsonObject {
  const copy = structuredClone(document) as JsonObject & {
    paths: Paths;
    components: Partial<Record<string, JsonObject>>;
  };
  const uses = Object.values(copy.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(usesOf);
  const groups = Map.groupBy(uses, ({ kind, value }) => `${kind} ${JSON.stringify(value)}`);
  // What most operations have gets the plain name.
  for (const group of [...groups.values()].sort((a, b) => b.length - a.length)) {
    const [first, ...others] = group;
    if (!first || (others.length === 0 && first.kind !== 'schemas')) continue;
    const { kind, value } = first;
    const members = copy.components[kind] ?? {};
    const name = nameFor(first, others, (candidate) => !(candidate in members));
    copy.components[kind] = { ...members, [name]: value };
    for (const { replace } of group) replace({ $ref: `#/components/${kind}/${name}` });
  }
  const components = Object.entries(copy.components).map(([kind, members]) => [
    kind,
    sortedByName(members ?? {}),
  ]);
  return { ...copy, components: Object.fromEntries(components) };
}

const REFERENCE = /"#\/components\/(\w+)\/([^"]+)"/g;

/** The document with only these operations, and with the components that they refer to. */
export function partOf(
  document: JsonObject,
  isIncluded: (path: string, operation: JsonObject) => boolean,
): JsonObject {
  const paths = Object.entries(document.paths as Paths).flatMap(([path, item]) => {
    const operations = Object.entries(item).filter(([, operation]) => isIncluded(path, operation));
    return operations.length === 0 ? [] : [[path, Object.fromEntries(operations)]];
  });
  const { securitySchemes, ...all } = document.components as Record<string, JsonObject>;
  const needed = new Set<string>();
  const follow = (text: string) => {
    for (const [, kind = '', name = ''] of text.matchAll(REFERENCE)) {
      const key = `${kind}/${name}`;
      if (needed.has(key)) continue;
      needed.add(key);
      follow(JSON.stringify(all[kind]?.[name]));
    }
  };
  const part = Object.fromEntries(paths);
  follow(JSON.stringify(part));
  const components = Object.entries(all).map(([kind, members]) => [
    kind,
    Object.fromEntries(Object.entries(members).filter(([name]) => needed.has(`${kind}/${name}`))),
  ]);
  return {
    ...document,
    paths: part,
    components: { securitySchemes, ...Object.fromEntries(components) },
  };
}
