import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { api } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { Confirm } from '../dialog.ts';
import { Icon, type IconName } from '../icon.ts';
import { awaitsPayment, isHeld, type VisitState } from './booking-facts.ts';
import { guestName } from './names.ts';
import { refundText, toldText } from './told.ts';
import type { BookingHandle } from './use-booking.ts';
import { isUnderWay, nextStates, setVisit } from './visit.ts';

const ICONS: Record<VisitState, IconName> = {
  expected: 'undo',
  arrived: 'walk',
  seated: 'check',
  left: 'out',
  no_show: 'warning',
};

export interface BookingActionsProps {
  handle: BookingHandle;
  booking: ManagedBooking;
  currency: string;
  timeZone: string | undefined;
  onEdit: () => void;
  onChanged?: (() => void) | undefined;
}

/** One row: how far the visit is, then what changes the booking itself. */
export function BookingActions(props: BookingActionsProps) {
  const { handle, booking, currency, timeZone, onEdit, onChanged } = props;
  const [isCancelling, setCancelling] = useState(false);
  const { operatorId, address } = handle;
  const visit = (state: VisitState) =>
    handle.write(() =>
      setVisit(operatorId, booking, state, {
        onUndone: () => {
          handle.reload();
          onChanged?.();
        },
      }),
    );
  const cancel = async () => {
    setCancelling(false);
    const isDone = await handle.write((ifMatch) => api.post(`${address}/cancel`, {}, { ifMatch }));
    if (isDone) say(t.booking.cancelled(guestName(booking)));
  };
  const isOpen = booking.status === 'confirmed';
  return html`
    <div class="row booking-actions" role="group" aria-label=${t.booking.doWith}>
      ${
        isHeld(booking) &&
        nextStates(booking, timeZone).map(
          (state, index) => html`
            <button
              key=${state}
              type="button"
              class=${index === 0 && isUnderWay(booking) ? 'button primary' : 'button'}
              disabled=${handle.isWriting}
              onClick=${() => visit(state)}
            >
              <${Icon} name=${ICONS[state]} size=${18} /> ${t.booking.visitActions[state]}
            </button>
          `,
        )
      }
      ${isOpen && html`<button type="button" class="button" onClick=${onEdit}><${Icon} name="edit" size=${18} /> ${t.booking.change}</button>`}
      ${
        (isOpen || awaitsPayment(booking)) &&
        html`
          <button type="button" class="button danger" disabled=${handle.isWriting} onClick=${() => setCancelling(true)}>
            <${Icon} name="close" size=${18} /> ${t.booking.cancel}
          </button>
        `
      }
    </div>
    ${
      isCancelling &&
      html`<${Confirm}
        title=${t.booking.cancelTitle(guestName(booking))}
        text=${`${refundText(booking, currency)} ${toldText(booking)}`}
        action=${t.booking.cancel}
        onConfirm=${cancel}
        onClose=${() => setCancelling(false)}
      />`
    }
  `;
}
