import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { SelectField, TextField } from '../../../components/field.ts';
import type { Parameter } from './operations.ts';

interface Props {
  parameter: Parameter;
  value: string;
  onInput: (value: string) => void;
  /** Offered while it is typed. */
  suggestions?: readonly string[];
}

/** Named as the interface names it, in the words of its description. */
export const ParameterField = ({ parameter, value, onInput, suggestions = [] }: Props) => {
  const listId = suggestions.length > 0 ? `suggestions-${parameter.name}` : undefined;
  const common = {
    label: parameter.isRequired ? t.tryCall.required(parameter.name) : parameter.name,
    hint: parameter.description || undefined,
    value,
    required: parameter.isRequired,
  };
  return parameter.choices.length > 0
    ? html`<${SelectField}
        ...${common}
        choices=${[{ value: '', label: '–' }, ...parameter.choices.map((choice) => ({ value: choice, label: choice }))]}
        onChange=${onInput}
      />`
    : html`
        <${TextField} ...${common} placeholder=${parameter.example} autocomplete="off" list=${listId} onInput=${onInput} />
        ${listId && html`<datalist id=${listId}>${suggestions.map((one) => html`<option key=${one} value=${one}></option>`)}</datalist>`}
      `;
};
