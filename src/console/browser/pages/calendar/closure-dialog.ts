import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ClosurePreview } from '../../../../features/closures/schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { addDays } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { say } from '../../app/toasts.ts';
import { Dialog } from '../../components/dialog.ts';
import { CheckField, TextArea, TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { ClosurePreviewView } from './closure-preview.ts';

export interface ClosureDialogProps {
  venueId: string;
  day: string;
  isToday: boolean;
  onDone: () => Promise<void>;
  onClose: () => void;
}

interface Values {
  isWhole: boolean;
  first: string;
  last: string;
  from: string;
  to: string;
  keys: readonly string[];
  reason: string;
  cancels: boolean;
  message: string;
}

interface Product {
  key: string;
  name: string;
}

/** From and to as the service takes them. An end before its beginning is on the next day. */
const bodyOf = ({ isWhole, first, last, from, to, keys, reason, cancels, message }: Values) => ({
  from: isWhole ? first : `${first}T${from}`,
  to: isWhole ? last : `${to <= from ? addDays(first, 1) : first}T${to}`,
  productKeys: keys.length === 0 ? null : keys,
  reason: reason.trim() === '' ? null : reason,
  bookings: cancels ? 'cancel' : 'keep',
  message: !cancels || message.trim() === '' ? null : message,
});

/** First what is to be closed, then what that would do; nothing happens before that was seen. */
export function ClosureDialog({ venueId, day, isToday, onDone, onClose }: ClosureDialogProps) {
  const all = path`/manage/venues/${venueId}/closures`;
  const [preview, setPreview] = useState<ClosurePreview>();
  const products = useLoad(
    () => api.get<{ data: Product[] }>(path`/manage/venues/${venueId}/products`),
    [venueId],
  );
  const start: Values = {
    isWhole: !isToday,
    first: day,
    last: day,
    from: '17:00',
    to: '02:00',
    keys: [],
    reason: '',
    cancels: true,
    message: '',
  };
  const form = useForm<Values>(start, async (values) => {
    setPreview(await api.post<ClosurePreview>(all, bodyOf(values), { query: { dryRun: true } }));
  });
  const closing = useForm({}, async () => {
    await api.post(all, bodyOf(form.values));
    say(t.calendar.closedNow);
    await onDone();
  });
  const { values, set, errorsOf } = form;
  if (preview) {
    return html`<${ClosurePreviewView}
      preview=${preview}
      cancels=${values.cancels}
      problem=${closing.problem}
      isSending=${closing.isSending}
      onConfirm=${closing.submit}
      onBack=${() => setPreview(undefined)}
      onClose=${onClose}
    />`;
  }
  const choice = (name: string, isOn: boolean, label: string, changes: Partial<Values>) => html`
    <label class="check">
      <input type="radio" name=${name} checked=${isOn} onChange=${() => set(changes)} />
      <span>${label}</span>
    </label>
  `;
  const field = (name: 'first' | 'last' | 'from' | 'to', type: string, label: string, error: string) => html`
    <${TextField} type=${type} required label=${label} value=${values[name]} errors=${errorsOf(error)} onInput=${(value: string) => set({ [name]: value })} />
  `;
  const toggleKey = (key: string, isOn: boolean) =>
    set({ keys: isOn ? [...values.keys, key] : values.keys.filter((one) => one !== key) });
  return html`
    <${Dialog} title=${isToday ? t.calendar.closeTonight : t.calendar.closeDay} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        <fieldset class="field-group">
          <legend>${t.calendar.when}</legend>
          <div class="row">
            ${choice('when', values.isWhole, t.calendar.wholeDays, { isWhole: true })}
            ${choice('when', !values.isWhole, t.calendar.partOfDay, { isWhole: false })}
          </div>
          <div class="field-pair">
            ${
              values.isWhole
                ? html`${field('first', 'date', t.calendar.firstDay, 'from')} ${field('last', 'date', t.calendar.lastDay, 'to')}`
                : html`${field('from', 'time', t.calendar.from, 'from')} ${field('to', 'time', t.calendar.to, 'to')}`
            }
          </div>
        </fieldset>
        ${
          (products.data?.data.length ?? 0) > 1 &&
          html`<details>
            <summary>${values.keys.length === 0 ? t.calendar.wholeVenue : t.calendar.someProducts(values.keys.length)}</summary>
            <div class="form">
              ${products.data?.data.map(
                ({ key, name }) =>
                  html`<${CheckField} key=${key} label=${name} isOn=${values.keys.includes(key)} onChange=${(isOn: boolean) => toggleKey(key, isOn)} />`,
              )}
            </div>
          </details>`
        }
        <${TextField} label=${t.calendar.reason} hint=${t.calendar.reasonHint} value=${values.reason} errors=${errorsOf('reason')} onInput=${(reason: string) => set({ reason })} />
        <fieldset class="field-group">
          <legend>${t.calendar.bookingsInside}</legend>
          ${choice('bookings', values.cancels, t.calendar.cancelThem, { cancels: true })}
          ${choice('bookings', !values.cancels, t.calendar.keepThem, { cancels: false })}
        </fieldset>
        ${
          values.cancels &&
          html`<${TextArea} label=${t.calendar.message} hint=${t.calendar.messageHint} value=${values.message} errors=${errorsOf('message')} onInput=${(message: string) => set({ message })} />`
        }
        <${Problem} problem=${form.problem} />
        <footer class="dialog-foot">
          <button type="button" class="button" onClick=${onClose}>${t.common.cancel}</button>
          <button type="submit" class="button primary" disabled=${form.isSending}>${t.calendar.seeWhat}</button>
        </footer>
      </form>
    <//>
  `;
}
