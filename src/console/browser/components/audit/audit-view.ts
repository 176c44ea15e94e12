import { html } from 'htm/preact';
import type { AuditEntry } from '../../../../features/audit/schema.ts';
import { api } from '../../app/api.ts';
import { addDays, momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { SelectField, TextField } from '../field.ts';
import { Icon } from '../icon.ts';
import { Empty, Loading } from '../notice.ts';
import { Pager } from '../pager.ts';
import { EntryDialog } from './entry-dialog.ts';

export interface Person {
  id: string;
  name: string;
}

export interface AuditViewProps {
  /** Such as `/manage/operators/1/audit`. */
  base: string;
  /** Those who can be chosen from, besides those whose changes are shown. */
  people?: readonly Person[];
}

/** Midnight of a day in the zone of the browser. */
const startOf = (date: string) => new Date(`${date}T00:00:00`).toISOString();

/** Who changed what: filter by person, thing and day. */
export function AuditView({ base, people = [] }: AuditViewProps) {
  const { query } = address.value;
  const [actorId, subject, kind, from, to, entry] = ['who', 'subject', 'kind', 'from', 'to', 'entry'].map(
    (name) => query.get(name),
  );
  const page = query.get('page') ?? '1';
  const loaded = useLoad(
    () =>
      api.get<Page<AuditEntry>>(base, {
        pageNumber: page,
        pageSize: 25,
        actorId,
        subject,
        kind,
        from: from ? startOf(from) : null,
        to: to ? startOf(addDays(to, 1)) : null,
      }),
    [base, page, actorId, subject, kind, from, to],
  );
  const filter = (changes: Record<string, string | null>) => setQuery({ ...changes, page: null });
  const known = new Map(
    [...people, ...(loaded.data?.data ?? []).map(({ actor }) => actor)].map(({ id, name }) => [id, name]),
  );
  const isFiltered = [actorId, subject, kind, from, to].some((value) => value);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.audit}</h1>
        <p>${t.auditLog.about}</p>
      </div>
      <div class="columns filters">
        <${SelectField}
          label=${t.auditLog.who}
          value=${actorId ?? ''}
          choices=${[
            { value: '', label: t.auditLog.everyone },
            ...(actorId && !known.has(actorId) ? [{ value: actorId, label: actorId }] : []),
            ...[...known].map(([value, label]) => ({ value, label })),
          ]}
          onChange=${(who: string) => filter({ who })}
        />
        <${SelectField}
          label=${t.auditLog.kind}
          value=${kind ?? ''}
          choices=${[
            { value: '', label: t.common.all },
            ...Object.entries(t.auditLog.kinds).map(([value, label]) => ({ value, label })),
          ]}
          onChange=${(chosen: string) => filter({ kind: chosen, subject: null })}
        />
        <${TextField} label=${t.auditLog.from} type="date" value=${from ?? ''} onInput=${(value: string) => filter({ from: value })} />
        <${TextField} label=${t.auditLog.to} type="date" value=${to ?? ''} onInput=${(value: string) => filter({ to: value })} />
      </div>
      ${
        isFiltered &&
        html`
          <div class="row">
            ${subject && html`<span class="tag">${subject}</span>`}
            <button
              type="button"
              class="button small"
              onClick=${() => filter({ who: null, kind: null, subject: null, from: null, to: null })}
            >
              ${t.auditLog.clear}
            </button>
          </div>
        `
      }
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<AuditEntry>) =>
          data.length === 0
            ? html`<${Empty} title=${t.auditLog.none} text=${isFiltered ? t.auditLog.noneFound : t.auditLog.noneText} />`
            : html`<${Entries} entries=${data} onSubject=${(chosen: string) => filter({ subject: chosen, kind: null })} />
                <${Pager} meta=${meta} />`}
      <//>
      ${entry && html`<${EntryDialog} base=${base} id=${entry} onClose=${() => setQuery({ entry: null })} />`}
    </div>
  `;
}

const Entries = ({
  entries,
  onSubject,
}: {
  entries: readonly AuditEntry[];
  onSubject: (subject: string) => void;
}) => html`
  <div class="table-wrap" tabindex="0" role="region" aria-label=${t.pages.audit}>
    <table>
      <thead>
        <tr>
          <th>${t.auditLog.when}</th>
          <th>${t.auditLog.who}</th>
          <th>${t.auditLog.what}</th>
          <th>${t.auditLog.thing}</th>
          <th><span class="visually-hidden">${t.auditLog.only}</span></th>
        </tr>
      </thead>
      <tbody>
        ${entries.map((entry) => {
          const open = () => setQuery({ entry: entry.id }, { replace: false });
          return html`
            <tr key=${entry.id} class="is-link" onClick=${open}>
              <td class="nowrap">
                <button type="button" class="link">${momentOf(entry.at)}</button>
              </td>
              <td>${entry.actor.name}</td>
              <td><code>${entry.action}</code></td>
              <td class="break">${entry.subject}</td>
              <td>
                <button
                  type="button"
                  class="button quiet small icon-only"
                  aria-label=${t.auditLog.onlyThis(entry.subject)}
                  title=${t.auditLog.only}
                  onClick=${(event: Event) => {
                    event.stopPropagation();
                    onSubject(entry.subject);
                  }}
                >
                  <${Icon} name="search" size=${16} />
                </button>
              </td>
            </tr>
          `;
        })}
      </tbody>
    </table>
  </div>
`;
