import { html } from 'htm/preact';
import type { Difference, FieldChange } from '../../../../features/system-catalogue/schema.ts';
import { api } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { address } from '../../app/router.ts';
import { Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';

const TONES = { added: 'info', changed: '', withdrawn: 'warn', failed: 'bad' } as const;

/** What is different at the system, venue by venue with its products. */
export function CatalogueDifferences({ at, name }: { at: string; name: string }) {
  const page = address.value.query.get(name) ?? '1';
  const loaded = useLoad(() => api.get<Page<Difference>>(`${at}?pageSize=20&pageNumber=${page}`), [at, page]);
  return html`
    <${Loading} loaded=${loaded}>
      ${({ data, meta }: Page<Difference>) =>
        data.length === 0
          ? html`<p class="small quiet">${t.catalogue.same}</p>`
          : html`
              <ul class="catalogue-differences">
                ${data.map((difference) => html`<${Entry} key=${difference.position} difference=${difference} />`)}
              </ul>
              <${Pager} meta=${meta} name=${name} />
            `}
    <//>
  `;
}

function Entry({ difference }: { difference: Difference }) {
  const { kind, subject, name, resourceId, productKey, changes, note, isApplied } = difference;
  return html`
    <li class=${subject}>
      <p class="row">
        <span class=${`tag ${TONES[kind]}`}>${t.catalogue.differences[kind]}</span>
        <strong>${name ?? productKey ?? resourceId ?? t.catalogue.unnamed}</strong>
        <span class="small quiet">
          ${t.catalogue.subjects[subject]}${subject === 'product' && resourceId ? ` · ${resourceId}` : ''}
        </span>
        ${isApplied && html`<span class="tag good">${t.catalogue.applied}</span>`}
      </p>
      ${note && html`<p class="small">${note}</p>`}
      ${kind === 'changed' && html`<ul class="small">${changes.map(lineOf)}</ul>`}
    </li>
  `;
}

const lineOf = ({ field, before, after }: FieldChange) => html`
  <li key=${field}>
    ${t.catalogue.fields[field as keyof typeof t.catalogue.fields] ?? field}:
    ${' '}<del>${before ?? t.catalogue.nothing}</del> → <ins>${after ?? t.catalogue.nothing}</ins>
  </li>
`;
