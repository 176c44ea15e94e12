import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { CodeBlock } from '../../../components/code-block.ts';
import { SelectField, TextArea, TextField } from '../../../components/field.ts';
import { Problem } from '../../../components/notice.ts';
import { demoSecretOf } from '../first-calls.ts';
import { AnswerPanel } from './answer-panel.ts';
import { CredentialFields } from './credential-fields.ts';
import { freshBody, type Operation, type Parameter } from './operations.ts';
import { callOf, curlOf } from './request.ts';
import { type Answer, send } from './send.ts';
import { AUDIENCE, type Credentials, held, tokenFor } from './token.ts';

interface Props {
  operation: Operation;
  clientIds: readonly string[];
  /** What is mapped to the partner. */
  productIds: readonly string[];
}

function firstCredentials([clientId = '']: readonly string[]): Credentials {
  const known = held.peek();
  if (known) return { clientId: known.clientId, secret: known.secret, audience: known.audience };
  return { clientId, secret: demoSecretOf(clientId) ?? '', audience: AUDIENCE };
}

/** One operation: who calls, with which values, and what came back. */
export function CallForm({ operation, clientIds, productIds }: Props) {
  const [answer, setAnswer] = useState<Answer>();
  const required = operation.parameters.filter(({ isRequired }) => isRequired);
  const form = useForm(
    {
      credentials: firstCredentials(clientIds),
      values: Object.fromEntries(required.map(({ name, example }) => [name, example])) as Record<
        string,
        string
      >,
      body: freshBody(operation.body ?? '', new Date()),
    },
    async ({ credentials, values, body }) => {
      const token = await tokenFor(credentials);
      setAnswer(await send(callOf(operation, values, body), token));
    },
  );
  const { credentials, values, body } = form.values;
  const call = callOf(operation, values, body);
  const field = (parameter: Parameter) => html`
    <${ParameterField}
      key=${parameter.name}
      parameter=${parameter}
      value=${values[parameter.name] ?? ''}
      suggestions=${parameter.name === 'compositeId' ? productIds : []}
      onInput=${(value: string) => form.set({ values: { ...values, [parameter.name]: value } })}
    />
  `;
  // What is needed is shown; the rest folds away.
  const optional = operation.parameters.filter(({ isRequired }) => !isRequired);
  const folds = [
    { title: t.tryCall.parameters, fields: optional.filter((parameter) => parameter.in === 'query') },
    { title: t.tryCall.headers, fields: optional.filter((parameter) => parameter.in === 'header') },
  ].filter(({ fields }) => fields.length > 0);
  return html`
    <form onSubmit=${form.submit}>
      <section class="panel">
        <h2>${t.tryCall.credentials}</h2>
        <${CredentialFields}
          clientIds=${clientIds}
          credentials=${credentials}
          onChange=${(changes: Partial<Credentials>) => form.set({ credentials: { ...credentials, ...changes } })}
        />
      </section>
      <section class="panel">
        <h2 class="break"><code>${operation.method} ${operation.path}</code></h2>
        ${required.length > 0 && html`<div class="columns">${required.map(field)}</div>`}
        ${folds.map(
          ({ title, fields }) => html`
            <details class="fold" key=${title}>
              <summary>${title} (${fields.length})</summary>
              <div class="columns">${fields.map(field)}</div>
            </details>
          `,
        )}
        ${
          operation.body !== undefined &&
          html`<${TextArea}
            label=${t.tryCall.body}
            rows=${Math.min(20, body.split('\n').length + 1)}
            spellcheck="false"
            class="code"
            value=${body}
            onInput=${(text: string) => form.set({ body: text })}
          />`
        }
        ${operation.method !== 'GET' && html`<p class="notice warn">${t.tryCall.changes}</p>`}
        <${Problem} problem=${form.problem} />
        <div>
          <button type="submit" class="button primary" disabled=${form.isSending}>${t.tryCall.send}</button>
        </div>
        <details class="fold">
          <summary>${t.tryCall.asCurl}</summary>
          <${CodeBlock} label=${t.tryCall.asCurl} text=${curlOf(location.origin, call)} />
        </details>
      </section>
      ${answer && html`<${AnswerPanel} answer=${answer} />`}
    </form>
  `;
}

interface Props {
  parameter: Parameter;
  value: string;
  onInput: (value: string) => void;
  /** Offered while it is typed. */
  suggestions?: readonly string[];
}

/** Named as the interface names it, in the words of its description. */
const ParameterField = ({ parameter, value, onInput, suggestions = [] }: Props) => {
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
