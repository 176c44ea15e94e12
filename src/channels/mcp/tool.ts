/** What a tool is: arguments and answer as schemas, the scope it takes, and the service that does the work. */
import type { Static, TObject } from 'typebox';
import type { AvailabilityService } from '../../features/availability/service.ts';
import type { Rules } from '../../features/booking-rules/service.ts';
import type { Bookings } from '../../features/bookings/service.ts';
import type { Venues } from '../../features/venues/service.ts';
import type { Caller, Scope } from '../../http/auth/caller.ts';
import { isObject, type JsonObject } from '../../http/validation/schema-helpers.ts';
import { checkerOf } from '../../http/validation/validation.ts';

export interface ToolServices {
  venues: Venues;
  availability: AvailabilityService;
  bookings: Bookings;
  rules: Rules;
}

export interface ToolCall extends ToolServices {
  caller: Caller;
}

/** `text` says the same as `data` in few words: many hosts hand only one of the two to their model. */
export interface ToolAnswer<Data = JsonObject> {
  text: string;
  data: Data;
}

/** What hosts are told of a tool before they let a model call it; what is left out is false. */
const HINTS = {
  read: { readOnlyHint: true, openWorldHint: false },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  change: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
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
    listed: {
      name,
      description,
      inputSchema: shortened(input) as ObjectSchema,
      outputSchema: shortened(output) as ObjectSchema,
      annotations: HINTS[definition.hints],
    },
    run: (call, args) => definition.run(call, check(args)) as Promise<ToolAnswer>,
  };
}

/** Members of a schema that help a model to write a value; `checkerOf` still holds all the others. */
const TOLD = ['type', 'description', 'enum', 'format', 'minimum', 'required'] as const;

/** Formats that JSON Schema knows; ours are explained by the refusal. */
const FORMATS: ReadonlySet<unknown> = new Set(['date', 'date-time', 'email', 'uuid']);

/** A schema as `tools/list` shows it, in as few tokens as can be: a model pays for the list with every request. */
function shortened(schema: unknown): JsonObject {
  if (!isObject(schema)) return {};
  const { anyOf, properties, items } = schema;
  // What may be null may be left out, which is shorter.
  if (Array.isArray(anyOf)) {
    const { description } = schema;
    return { ...shortened(anyOf[0]), ...(description !== undefined && { description }) };
  }
  const short: JsonObject = {};
  for (const keyword of TOLD) if (keyword in schema) short[keyword] = schema[keyword];
  if (!FORMATS.has(short.format)) delete short.format;
  if (isObject(items)) short.items = shortened(items);
  if (isObject(properties))
    short.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, shortened(property)]),
    );
  return short;
}
