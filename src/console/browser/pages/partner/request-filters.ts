import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
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

type Texts = Record<(typeof TEXTS)[number], string>;
const textsIn = (query: URLSearchParams) =>
  Object.fromEntries(TEXTS.map((name) => [name, query.get(name) ?? ''])) as Texts;

/** Nothing is looked for before the form is sent, so that several fields can be filled. */
export function RequestFilters() {
  const { query } = address.value;
  const asked = textsIn(query);
  const [texts, setTexts] = useState(asked);
  // A click in the list, «Back» or «Clear» has changed what is asked.
  useEffect(() => setTexts(asked), Object.values(asked));
  const apply = (changes: Record<string, string>) =>
    setQuery({
      ...Object.fromEntries(TEXTS.map((name) => [name, texts[name].trim()])),
      code: texts.code.trim().toUpperCase(),
      ...changes,
      cursor: null,
    });
  const search = (event: Event) => {
    event.preventDefault();
    apply({});
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
              hint=${name === 'route' ? t.requests.routeHint : undefined}
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
