import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { t } from '../../app/language.ts';
import { may } from '../../app/session.ts';
import { Problem } from '../notice.ts';
import { Actuals } from './actuals.ts';
import { BookingActions } from './booking-actions.ts';
import { isEnquiry, isHeld } from './booking-facts.ts';
import { ChangedMeanwhile } from './changed-meanwhile.ts';
import { EarlierVisits } from './earlier-visits.ts';
import { EditBooking } from './edit/edit-booking.ts';
import { EnquiryAnswer } from './enquiry-answer.ts';
import { ForgetGuest } from './forget-guest.ts';
import { History } from './history.ts';
import { Messages } from './messages.ts';
import { hasMoney, Money } from './money.ts';
import { guestName } from './names.ts';
import { Summary } from './summary.ts';
import type { BookingHandle } from './use-booking.ts';

export interface BookingDetailProps {
  handle: BookingHandle;
  booking: ManagedBooking;
  currency: string;
  timeZone: string | undefined;
  onChanged?: (() => void) | undefined;
  /** Opens another booking of the same guest. */
  onOpen?: ((bookingId: string) => void) | undefined;
}

const hasBegun = ({ dateTime }: ManagedBooking) => Date.parse(dateTime) <= Date.now();

/** Everything about a booking: what is known, what can be done, and what has happened. */
export function BookingDetail(props: BookingDetailProps) {
  const { handle, booking, currency, timeZone, onChanged, onOpen } = props;
  const [isEditing, setEditing] = useState(false);
  const [showsHistory, setShowsHistory] = useState(false);
  useEffect(() => setEditing(false), [booking.id]);
  const { address, problem, meanwhile } = handle;
  const edit = () => {
    handle.forgetProblem();
    setEditing(true);
  };
  if (isEditing) {
    return html`<${EditBooking} handle=${handle} booking=${booking} currency=${currency} onDone=${() => setEditing(false)} />`;
  }
  const refusal = problem?.isChangedMeanwhile
    ? html`<${ChangedMeanwhile} differences=${meanwhile} currency=${currency} />`
    : html`<${Problem} problem=${problem} />`;
  return html`
    <${Summary} booking=${booking} timeZone=${timeZone} />
    ${
      isEnquiry(booking)
        ? html`<section class="booking-part"><h3>${t.booking.answer}</h3>${refusal}<${EnquiryAnswer} handle=${handle} booking=${booking} currency=${currency} onEdit=${edit} /></section>`
        : html`${refusal}<${BookingActions} handle=${handle} booking=${booking} currency=${currency} timeZone=${timeZone} onEdit=${edit} onChanged=${onChanged} />`
    }
    ${
      hasMoney(booking) &&
      html`<section class="booking-part"><h3>${t.booking.money}</h3><${Money} handle=${handle} booking=${booking} currency=${currency} timeZone=${timeZone} onChanged=${onChanged} /></section>`
    }
    ${
      isHeld(booking) &&
      hasBegun(booking) &&
      html`<section class="booking-part"><h3>${t.booking.actuals}</h3><${Actuals} key=${booking.lastUpdate} handle=${handle} booking=${booking} currency=${currency} /></section>`
    }
    ${
      booking.partner &&
      html`<section class="booking-part"><h3>${t.booking.messages}</h3><${Messages} address=${address} partnerName=${booking.partner.name} timeZone=${timeZone} lastUpdate=${booking.lastUpdate} canWrite=${!isEnquiry(booking)} /></section>`
    }
    <section class="booking-part">
      <h3>${t.booking.earlier}</h3>
      <${EarlierVisits} operatorId=${handle.operatorId} booking=${booking} onOpen=${onOpen} />
    </section>
    <details class="booking-part" onToggle=${(event: Event) => setShowsHistory((event.currentTarget as HTMLDetailsElement).open)}>
      <summary><h3>${t.booking.history}</h3></summary>
      ${showsHistory && html`<${History} address=${address} currency=${currency} timeZone=${timeZone} lastUpdate=${booking.lastUpdate} />`}
    </details>
    ${may(handle.operatorId, 'owner') && booking.lastName !== null && html`<${ForgetGuest} handle=${handle} name=${guestName(booking)} />`}
  `;
}
