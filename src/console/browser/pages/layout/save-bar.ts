import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { LayoutPreview } from '../../../../features/layout/schema.ts';
import { type ApiProblem, api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { problemOf } from '../../app/load.ts';
import { say } from '../../app/toasts.ts';
import { Problem } from '../../components/notice.ts';
import { bodyOf, type Plan } from './plan.ts';
import { UnseatedDialog } from './unseated-dialog.ts';

export interface SaveBarProps {
  venueId: string;
  plan: Plan;
  etag: string | null;
  isChanged: boolean;
  onSaved: () => Promise<void>;
  onDiscard: () => void;
}

/** Saves all of it or nothing. The dry run before it names the bookings that would lose their tables. */
export function SaveBar({ venueId, plan, etag, isChanged, onSaved, onDiscard }: SaveBarProps) {
  const [problem, setProblem] = useState<ApiProblem>();
  const [preview, setPreview] = useState<LayoutPreview>();
  const [isSending, setSending] = useState(false);
  const address = path`/manage/venues/${venueId}/layout`;

  async function attempt(work: () => Promise<void>): Promise<void> {
    setSending(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setPreview(undefined);
      setProblem(problemOf(error));
    } finally {
      setSending(false);
    }
  }
  const store = async () => {
    await api.put(address, bodyOf(plan), { ifMatch: etag });
    setPreview(undefined);
    say(t.common.saved);
    await onSaved();
  };
  const save = () =>
    attempt(async () => {
      const options = { ifMatch: etag, query: { dryRun: true } };
      const found = await api.put<LayoutPreview>(address, bodyOf(plan), options);
      if (found.refusal !== null || found.bookingCount > 0) setPreview(found);
      else await store();
    });
  return html`
    <div class="plan-bar">
      <span class="quiet" role="status">${isChanged ? t.layout.unsaved : t.layout.allSaved}</span>
      ${isChanged && html`<button type="button" class="button" disabled=${isSending} onClick=${onDiscard}>${t.common.discard}</button>`}
      <button type="button" class="button primary" disabled=${!isChanged || isSending} onClick=${save}>${t.common.save}</button>
    </div>
    <${Problem} problem=${problem} onReload=${onSaved} />
    ${
      preview &&
      html`<${UnseatedDialog}
        venueId=${venueId}
        preview=${preview}
        isSending=${isSending}
        onSave=${() => attempt(store)}
        onClose=${() => setPreview(undefined)}
      />`
    }
  `;
}
