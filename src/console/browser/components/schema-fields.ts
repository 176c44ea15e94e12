import { html } from 'htm/preact';
import type { FieldValue, SchemaField } from '../app/schema-form.ts';
import { CheckField, SelectField, TextField } from './field.ts';

export interface SchemaFieldsProps {
  fields: readonly SchemaField[];
  values: Readonly<Record<string, FieldValue>>;
  onChange: (values: Record<string, FieldValue>) => void;
  errorsOf: (name: string) => string[];
  /** Values are not shown while they are typed. */
  isSecret?: boolean;
}

/** Fields made of a JSON schema. */
export const SchemaFields = ({ fields, values, onChange, errorsOf, isSecret = false }: SchemaFieldsProps) =>
  fields.map((field) => {
    const { name, label, hint, kind, choices, isRequired } = field;
    const set = (value: FieldValue) => onChange({ ...values, [name]: value });
    const shared = { key: name, label, hint, errors: errorsOf(name), required: isRequired };
    if (kind === 'check')
      return html`<${CheckField} key=${name} label=${hint ?? label} isOn=${values[name] === true} onChange=${set} />`;
    if (kind === 'choice')
      return html`<${SelectField}
        ...${shared}
        value=${values[name] ?? ''}
        choices=${[...(isRequired ? [] : ['']), ...choices].map((value) => ({ value, label: value }))}
        onChange=${set}
      />`;
    return html`<${TextField}
      ...${shared}
      type=${isSecret ? 'password' : 'text'}
      inputmode=${kind === 'number' ? 'decimal' : undefined}
      autocomplete=${isSecret ? 'new-password' : 'off'}
      value=${values[name] ?? ''}
      onInput=${set}
    />`;
  });
