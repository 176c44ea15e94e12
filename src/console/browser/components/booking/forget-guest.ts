import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { Confirm } from '../dialog.ts';
import { Icon } from '../icon.ts';
import type { BookingHandle } from './use-booking.ts';

/** For owners: cannot be taken back. */
export function ForgetGuest({ handle, name }: { handle: BookingHandle; name: string }) {
  const [isAsking, setAsking] = useState(false);
  const forget = async () => {
    setAsking(false);
    const isDone = await handle.write(() => api.post(`${handle.address}/forget-guest`));
    if (isDone) say(t.booking.forgotten);
  };
  return html`
    <div class="row">
      <button type="button" class="button quiet danger small" onClick=${() => setAsking(true)}>
        <${Icon} name="trash" size=${16} /> ${t.booking.forget}
      </button>
    </div>
    ${
      isAsking &&
      html`<${Confirm}
        title=${t.booking.forgetTitle(name)}
        text=${t.booking.forgetText}
        action=${t.booking.forget}
        onConfirm=${forget}
        onClose=${() => setAsking(false)}
      />`
    }
  `;
}
