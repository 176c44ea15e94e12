import { html } from 'htm/preact';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { money } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useOnce } from '../../app/once.ts';
import { say } from '../../app/toasts.ts';
import { MoneyField } from '../amount-field.ts';
import { Dialog } from '../dialog.ts';
import { FormFoot } from '../edit-dialog.ts';
import { TextField } from '../field.ts';

export interface RefundDialogProps {
  /** Of the booking. */
  address: string;
  /** What was taken and not given back. */
  heldPence: number;
  currency: string;
  onRefunded: () => void;
  onClose: () => void;
}

/** Gives part of what was taken back, or all of it. The button says how much. */
export function RefundDialog({ address, heldPence, currency, onRefunded, onClose }: RefundDialogProps) {
  const once = useOnce();
  const form = useForm({ amount: heldPence as number | null, reason: '' }, async ({ amount, reason }) => {
    const body = { amount: amount ?? 0, reason: reason.trim() === '' ? null : reason.trim() };
    await once((idempotencyKey) => api.post(`${address}/refunds`, body, { idempotencyKey }));
    say(t.booking.refundOwed(money(body.amount, currency)));
    onRefunded();
    onClose();
  });
  const { values, set, errorsOf } = form;
  return html`
    <${Dialog} title=${t.booking.refundTitle} onClose=${onClose}>
      <form class="form" onSubmit=${form.submit}>
        <${MoneyField}
          label=${t.booking.refundAmount}
          hint=${t.booking.refundMost(money(heldPence, currency))}
          required
          value=${values.amount}
          errors=${errorsOf('amount')}
          onInput=${(amount: number | null) => set({ amount })}
        />
        <${TextField}
          label=${t.booking.refundReason}
          hint=${t.booking.refundReasonHint}
          maxlength="500"
          value=${values.reason}
          errors=${errorsOf('reason')}
          onInput=${(reason: string) => set({ reason })}
        />
        <${FormFoot} form=${form} onClose=${onClose} action=${t.booking.refundNow(money(values.amount ?? 0, currency))} />
      </form>
    <//>
  `;
}
