import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { api } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { user } from '../../app/session.ts';
import { say } from '../../app/toasts.ts';
import { Confirm } from '../dialog.ts';
import { TextArea } from '../field.ts';
import { Icon } from '../icon.ts';
import { guestName } from './names.ts';
import { refundText, toldText } from './told.ts';
import type { BookingHandle } from './use-booking.ts';

export interface EnquiryAnswerProps {
  handle: BookingHandle;
  booking: ManagedBooking;
  currency: string;
  onEdit?: (() => void) | undefined;
}

/** Accept, reject or take up; a text goes to the partner with the answer. None of it can be taken back. */
export function EnquiryAnswer({ handle, booking, currency, onEdit }: EnquiryAnswerProps) {
  const [text, setText] = useState('');
  const [asks, setAsks] = useState<'accept' | 'reject'>();
  const { address } = handle;
  const message = () => ({ text: text.trim(), replyTo: user.peek()?.email ?? null });
  const name = guestName(booking);

  const takeUp = () => handle.write((ifMatch) => api.post(`${address}/take-up`, {}, { ifMatch }));
  const accept = async () => {
    setAsks(undefined);
    const isDone = await handle.write(async (ifMatch) => {
      await api.post(`${address}/accept`, {}, { ifMatch });
      // Not before: the partner is told nothing about an enquiry that could not be placed.
      if (text.trim() !== '') await api.post(`${address}/messages`, message());
    });
    if (isDone) say(t.booking.accepted(name));
  };
  const sendOnly = async () => {
    const isDone = await handle.write(() => api.post(`${address}/messages`, message()));
    if (!isDone) return;
    setText('');
    say(t.booking.messageSent(booking.partner?.name ?? ''));
  };
  const reject = async () => {
    setAsks(undefined);
    const body = text.trim() === '' ? {} : { message: message() };
    const isDone = await handle.write((ifMatch) => api.post(`${address}/reject`, body, { ifMatch }));
    if (isDone) say(t.booking.rejectedIt(name));
  };

  return html`
    <div class="form">
      ${
        booking.partner &&
        html`<${TextArea}
          label=${t.booking.answerText(booking.partner.name)}
          hint=${t.booking.answerHint}
          rows="2"
          maxlength="4000"
          value=${text}
          onInput=${setText}
        />`
      }
      <div class="row booking-actions">
        <button type="button" class="button primary" disabled=${handle.isWriting} onClick=${() => setAsks('accept')}>
          <${Icon} name="check" size=${18} /> ${t.booking.accept}
        </button>
        <button type="button" class="button danger" disabled=${handle.isWriting} onClick=${() => setAsks('reject')}>
          <${Icon} name="close" size=${18} /> ${t.booking.reject}
        </button>
        ${
          booking.status === 'pending' &&
          html`<button type="button" class="button" disabled=${handle.isWriting} title=${t.booking.takeUpHint} onClick=${takeUp}>${t.booking.takeUp}</button>`
        }
        ${
          text.trim() !== '' &&
          html`<button type="button" class="button" disabled=${handle.isWriting} onClick=${sendOnly}>${t.booking.sendOnly}</button>`
        }
        ${onEdit && html`<button type="button" class="button" onClick=${onEdit}><${Icon} name="edit" size=${18} /> ${t.booking.change}</button>`}
      </div>
    </div>
    ${
      asks === 'accept' &&
      html`<${Confirm}
        title=${t.booking.acceptTitle(name)}
        text=${[t.booking.acceptText, toldText(booking), text.trim() && t.booking.withText].filter(Boolean).join(' ')}
        action=${t.booking.accept}
        isDangerous=${false}
        onConfirm=${accept}
        onClose=${() => setAsks(undefined)}
      />`
    }
    ${
      asks === 'reject' &&
      html`<${Confirm}
        title=${t.booking.rejectTitle(name)}
        text=${[refundText(booking, currency), toldText(booking), text.trim() ? t.booking.withText : booking.partner && t.booking.withoutText].filter(Boolean).join(' ')}
        action=${t.booking.reject}
        onConfirm=${reject}
        onClose=${() => setAsks(undefined)}
      />`
    }
  `;
}
