import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { t } from '../../app/language.ts';
import { address, setQuery } from '../../app/router.ts';
import { SelectField, TextField } from '../../components/field.ts';

export const FILTERS = ['correlationId', 'status', 'method', 'code', 'route', 'clientId'] as const;
const TEXTS = ['correlationId', 'code', 'route', 'clientId'] as const;
const CLASSES = ['2xx', '3xx', '4xx', '5xx'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const choicesOf = (values: readonly string[]) => [
  { value: '', label: t.common.all },
  ...values.map((value) => ({ value, label: value })),
];

/** Texts are looked for when they are complete: on Enter, or when the field is left. */
export function RequestFilters() {
  const { query } = address.value;
  const [texts, setTexts] = useState(
    () =>
      Object.fromEntries(TEXTS.map((name) => [name, query.get(name) ?? ''])) as Record<
        (typeof TEXTS)[number],
        string
      >,
  );
  const apply = (changes: Record<string, string>) => {
    const isChanged = Object.entries(changes).some(([name, value]) => (query.get(name) ?? '') !== value);
    if (isChanged) setQuery({ ...changes, cursor: null });
  };
  const search = (event?: Event) => {
    event?.preventDefault();
    apply(Object.fromEntries(TEXTS.map((name) => [name, texts[name].trim()])));
  };
  const status = query.get('status') ?? '';
  const isFiltered = FILTERS.some((name) => query.get(name));
  return html`
    <form class="form" role="search" onSubmit=${search}>
      <div class="request-filters">
        ${TEXTS.map(
          (name) => html`
            <${TextField}
              key=${name}
              label=${t.requests.filters[name]}
              type="search"
              value=${texts[name]}
              onInput=${(value: string) => setTexts({ ...texts, [name]: value })}
              onBlur=${() => search()}
            />
          `,
        )}
        <${SelectField}
          label=${t.requests.filters.status}
          value=${status}
          choices=${choicesOf(status === '' || CLASSES.includes(status) ? CLASSES : [...CLASSES, status])}
          onChange=${(value: string) => apply({ status: value })}
        />
        <${SelectField}
          label=${t.requests.filters.method}
          value=${query.get('method') ?? ''}
          choices=${choicesOf(METHODS)}
          onChange=${(value: string) => apply({ method: value })}
        />
      </div>
      <div class="row">
        <button type="submit" class="button">${t.frame.search}</button>
        ${
          isFiltered &&
          html`<button
            type="button"
            class="button quiet"
            onClick=${() => setQuery({ ...Object.fromEntries(FILTERS.map((name) => [name, null])), cursor: null })}
          >
            ${t.auditLog.clear}
          </button>`
        }
      </div>
    </form>
  `;
}
