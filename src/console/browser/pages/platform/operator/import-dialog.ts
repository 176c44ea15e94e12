import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ImportResult } from '../../../../../features/transfer/schema.ts';
import { api } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { number } from '../../../app/format.ts';
import { t } from '../../../app/language.ts';
import { Dialog } from '../../../components/dialog.ts';
import { Field } from '../../../components/field.ts';
import { Icon } from '../../../components/icon.ts';
import { Problem } from '../../../components/notice.ts';

interface Props {
  onClose: () => void;
  onImported: () => Promise<void>;
}

/** Brings an operator in as one document: checked first, then stored whole or not at all. */
export function ImportDialog({ onClose, onImported }: Props) {
  const [checked, setChecked] = useState<ImportResult>();
  const [imported, setImported] = useState<ImportResult>();
  const form = useForm({ file: null as File | null }, async ({ file }) => {
    if (!file) return;
    // Sent as it is: the service says what is wrong with it.
    const document = new Blob([file], { type: 'application/json' });
    if (!checked) {
      setChecked(await api.post<ImportResult>('/manage/imports', document, { query: { dryRun: true } }));
      return;
    }
    setImported(await api.post<ImportResult>('/manage/imports', document));
    await onImported();
  });
  const result = imported ?? checked;
  return html`
    <${Dialog} title=${t.operators.import} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        ${!imported && html`<p>${t.operators.importText}</p>`}
        ${
          !imported &&
          html`<${Field} label=${t.operators.document}>
            ${(id: string) => html`<input
              id=${id}
              type="file"
              accept="application/json,.json"
              required
              onChange=${(event: Event) => {
                setChecked(undefined);
                form.set({ file: (event.currentTarget as HTMLInputElement).files?.[0] ?? null });
              }}
            />`}
          <//>`
        }
        ${result && html`<${Outcome} result=${result} isDone=${imported !== undefined} />`}
        <${Problem} problem=${form.problem} />
        <footer class="dialog-foot">
          <button type="button" class="button" onClick=${onClose}>${imported ? t.common.close : t.common.cancel}</button>
          ${
            !imported &&
            html`<button type="submit" class="button primary" disabled=${form.isSending || !form.values.file}>
              ${checked ? t.operators.importNow : t.operators.check}
            </button>`
          }
        </footer>
      </form>
    <//>
  `;
}

function Outcome({ result, isDone }: { result: ImportResult; isDone: boolean }) {
  const counts = Object.entries(t.operators.counts)
    .map(([name, label]) => [label, result[name as keyof typeof t.operators.counts]] as const)
    .filter(([, count]) => count > 0);
  return html`
    <div class="notice good" role="status">
      <${Icon} name="check" />
      <p>${isDone ? t.operators.importedText : t.operators.checkedText}</p>
    </div>
    <dl class="fact-pairs">
      ${counts.map(
        ([label, count]) => html`
          <dt>${label}</dt>
          <dd>${number(count)}</dd>
        `,
      )}
    </dl>
    ${result.notes.length > 0 && html`<h3>${t.operators.notes}</h3>`}
    ${result.notes.map((note) => html`<p class="small">${note}</p>`)}
  `;
}
