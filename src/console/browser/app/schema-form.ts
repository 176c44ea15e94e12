/** Makes fields of a JSON schema, and the object that it describes of what was typed into them. */

export type FieldValue = string | number | boolean;
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface SchemaField {
  name: string;
  label: string;
  hint?: string;
  kind: 'text' | 'number' | 'check' | 'choice';
  choices: string[];
  isRequired: boolean;
}

/** In the order of the schema. What a field is called is its title, or its name. */
export function fieldsOf(schema: JsonSchema): SchemaField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  return Object.entries(properties).map(([name, property]) => {
    const choices = choicesOf(property);
    const { title, description } = property;
    return {
      name,
      label: typeof title === 'string' ? title : name,
      ...(typeof description === 'string' && { hint: description }),
      kind: choices.length > 0 ? 'choice' : kindOf(property.type),
      choices,
      isRequired: required.includes(name),
    };
  });
}

function kindOf(type: unknown): SchemaField['kind'] {
  if (type === 'boolean') return 'check';
  return type === 'integer' || type === 'number' ? 'number' : 'text';
}

/** An enumeration, or alternatives that are one value each. */
function choicesOf(property: JsonSchema): string[] {
  if (Array.isArray(property.enum)) return property.enum.map(String);
  if (!Array.isArray(property.anyOf)) return [];
  const values = property.anyOf.map((option: JsonSchema) => option.const);
  return values.every((value) => typeof value === 'string') ? values.map(String) : [];
}

/** Fields that were left empty are left out; a number that is none is sent as it is, and refused by the service. */
export function objectIn(
  fields: readonly SchemaField[],
  values: Readonly<Record<string, FieldValue>>,
): Record<string, FieldValue> {
  const entries = fields.flatMap(({ name, kind, isRequired }): [string, FieldValue][] => {
    const value = values[name];
    if (kind === 'check') return isRequired || value !== undefined ? [[name, value === true]] : [];
    if (value === undefined || value === '') return [];
    if (kind !== 'number') return [[name, String(value)]];
    const number = Number(value);
    return [[name, Number.isFinite(number) ? number : value]];
  });
  return Object.fromEntries(entries);
}
