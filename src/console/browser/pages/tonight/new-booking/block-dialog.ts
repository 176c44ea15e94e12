/** Keeps tables free of new bookings for a time, or lifts such a block. */
import { html } from 'htm/preact';
import type { BlockWithBookings } from '../../../../../features/blocks/schema.ts';
import { api, path } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { say, sayProblem } from '../../../app/toasts.ts';
import { Dialog } from '../../../components/dialog.ts';
import { TextField } from '../../../components/field.ts';
import { Problem } from '../../../components/notice.ts';
import { clockAt, type DiaryBlock, localAt } from '../evening.ts';
import type { Selection } from '../timeline/drag.ts';

interface NewBlockProps {
  venueId: string;
  timeZone: string;
  selection: Selection;
  onClose: () => void;
}

export function NewBlockDialog({ venueId, timeZone, selection, onClose }: NewBlockProps) {
  const all = path`/manage/venues/${venueId}/blocks`;
  const { fromMs, toMs, rows } = selection;
  const form = useForm({ reason: '' }, async ({ reason }) => {
    const block = await api.post<BlockWithBookings>(all, {
      from: localAt(fromMs, timeZone),
      to: localAt(toMs, timeZone),
      tableIds: rows.flatMap(({ table }) => table?.id ?? []),
      reason: reason.trim() === '' ? null : reason,
    });
    const text = block.bookingCount > 0 ? t.tonight.blockedWith(block.bookingCount) : t.tonight.blockMade;
    say(text, () => api.remove(`${all}/${block.id}`));
    onClose();
  });
  const names = rows.map(({ name }) => name).join(', ');
  return html`
    <${Dialog} title=${t.tonight.blockTables} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        <p>${t.tonight.blockText(names, clockAt(fromMs, timeZone), clockAt(toMs, timeZone))}</p>
        <${TextField}
          label=${t.tonight.reason}
          hint=${t.tonight.reasonHint}
          autofocus
          value=${form.values.reason}
          errors=${form.errorsOf('reason')}
          onInput=${(reason: string) => form.set({ reason })}
        />
        <${Problem} problem=${form.problem} />
        <footer class="dialog-foot">
          <button type="button" class="button" onClick=${onClose}>${t.common.cancel}</button>
          <button type="submit" class="button primary" disabled=${form.isSending}>${t.tonight.block}</button>
        </footer>
      </form>
    <//>
  `;
}

interface BlockDialogProps {
  venueId: string;
  block: DiaryBlock;
  timeZone: string;
  onClose: () => void;
}

export function BlockDialog({ venueId, block, timeZone, onClose }: BlockDialogProps) {
  const lift = async () => {
    const { id, tableIds, reason } = block;
    onClose();
    try {
      await api.remove(path`/manage/venues/${venueId}/blocks/${id}`);
      const times = {
        from: localAt(Date.parse(block.from), timeZone),
        to: localAt(Date.parse(block.to), timeZone),
      };
      say(t.tonight.blockLifted, () =>
        api.post(path`/manage/venues/${venueId}/blocks`, { ...times, tableIds, reason }),
      );
    } catch (error) {
      sayProblem(error);
    }
  };
  return html`
    <${Dialog} title=${t.tonight.blocked(block.reason ?? '')} onClose=${onClose}>
      <p>${clockAt(Date.parse(block.from), timeZone)}–${clockAt(Date.parse(block.to), timeZone)}</p>
      <footer class="dialog-foot">
        <button type="button" class="button" onClick=${onClose}>${t.common.close}</button>
        <button type="button" class="button primary" autofocus onClick=${lift}>${t.tonight.liftBlock}</button>
      </footer>
    <//>
  `;
}
