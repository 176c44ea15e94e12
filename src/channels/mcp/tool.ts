/** What a tool is: arguments and answer as schemas, the scope it takes, and the service that does the work. */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { AvailabilityService } from '../../features/availability/service.ts';
import type { Rules } from '../../features/booking-rules/service.ts';
import type { Bookings } from '../../features/bookings/service.ts';
import type { Mandates } from '../../features/mandates/service.ts';
import type { Venues } from '../../features/venues/service.ts';
import type { Caller, Scope } from '../../http/auth/caller.ts';
import { isObject, type JsonObject } from '../../http/validation/schema-helpers.ts';
import { checkerOf } from '../../http/validation/validation.ts';

export interface ToolServices {
  venues: Venues;
  availability: AvailabilityService;
  bookings: Bookings;
  rules: Rules;
  mandates: Mandates;
}

export interface ToolCall extends ToolServices {
  caller: Caller;
}

/** `text` says the same as `data` in few words: many hosts hand only one of the two to their model. */
export interface ToolAnswer<Data = JsonObject> {
  text: string;
  data: Data;
}

/** What hosts are told of a tool before they let a model call it, as far as it is not what they assume. */
const HINTS = {
  read: { readOnlyHint: true, openWorldHint: false },
  create: { destructiveHint: false, openWorldHint: false },
  change: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const;

interface ToolDefinition<Input extends TObject, Output extends TObject> {
  name: string;
  description: string;
  scope: Scope;
  hints: keyof typeof HINTS;
  input: Input;
  output: Output;
  run(call: ToolCall, args: Static<Input>): Promise<ToolAnswer<Static<Output>>>;
}

export interface Tool {
  name: string;
  scope: Scope;
  /** It changes nothing. */
  isRead: boolean;
  /** As `tools/list` shows it. */
  listed: ListedTool;
  /** Throws the problem where the arguments do not fit. */
  run(call: ToolCall, args: unknown): Promise<ToolAnswer>;
}

export interface ListedTool {
  name: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: (typeof HINTS)[keyof typeof HINTS];
}

type ObjectSchema = JsonObject & { type: 'object' };

export function defineTool<Input extends TObject, Output extends TObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, description, scope, input, output } = definition;
  const check = checkerOf(input);
  return {
    name,
    scope,
    isRead: definition.hints === 'read',
    listed: {
      name,
      description,
      inputSchema: shortened(input) as ObjectSchema,
      outputSchema: outlined(output),
      annotations: HINTS[definition.hints],
    },
    run: (call, args) => definition.run(call, check(args)) as Promise<ToolAnswer>,
  };
}

/** The parts that tools share. */

export const closed = { additionalProperties: false };

const MAX_PAGE = 10_000;
export const page = Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE }));
export const nextPage = Type.Optional(Type.Integer());

/** For the text of a list that goes on. */
export const goesOn = (next: number | string | undefined): string[] =>
  next === undefined ? [] : [`Next page: ${next}.`];

export const money = (pence: number, currency: string) => `${(pence / 100).toFixed(2)} ${currency}`;

/** What `tools/list` says of a value in place of its description; without one, its name has to do. */
const TOLD_AS = 'x-told';

/** A copy with all its properties: what makes a field optional is one that spreading leaves behind. */
export const told = <Schema extends TSchema>(schema: Schema, description = ''): Schema =>
  Object.defineProperties(
    { [TOLD_AS]: description },
    Object.getOwnPropertyDescriptors(schema),
  ) as unknown as Schema;

/** Members of a schema that help a model to write a value; `checkerOf` still holds all the others. */
const TOLD = ['type', 'description', 'enum', 'format', 'required'] as const;

/** Formats that JSON Schema knows; ours are explained by the refusal. */
const FORMATS: ReadonlySet<unknown> = new Set(['date', 'date-time', 'email', 'uuid']);

/** A schema as `tools/list` shows it, in as few tokens as can be: a model pays for the list with every request. */
function shortened(schema: unknown): JsonObject {
  if (!isObject(schema)) return {};
  const { anyOf, properties, items, [TOLD_AS]: as } = schema;
  // What may be null may be left out, which is shorter to say.
  const short = Array.isArray(anyOf) ? shortened(anyOf[0]) : pick(schema, TOLD);
  if (as !== undefined) short.description = as;
  if (short.description === '') delete short.description;
  if (!FORMATS.has(short.format)) delete short.format;
  // A description stands for the members of what is nested.
  if (short.type === 'object' && as !== undefined) return pick(short, ['type', 'description']);
  if (isObject(items)) short.items = shortened(items);
  if (isObject(properties))
    short.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, shortened(property)]),
    );
  return short;
}

/** Of an answer, its members alone: a model sees the rest when it has called the tool. */
function outlined({ properties }: TObject): ObjectSchema {
  const members = Object.entries(properties).map(([name, member]) => {
    const { enum: values, type, description } = shortened(member);
    const kind = values === undefined ? type : 'string';
    return [
      name,
      { type: mayBeNull(member) ? [kind, 'null'] : kind, ...(description !== undefined && { description }) },
    ];
  });
  return { type: 'object', properties: Object.fromEntries(members) };
}

const mayBeNull = ({ anyOf }: TSchema & { anyOf?: unknown }) =>
  Array.isArray(anyOf) && anyOf.some((each) => isObject(each) && each.type === 'null');

const pick = (schema: JsonObject, keywords: readonly string[]): JsonObject =>
  Object.fromEntries(keywords.flatMap((keyword) => (keyword in schema ? [[keyword, schema[keyword]]] : [])));
