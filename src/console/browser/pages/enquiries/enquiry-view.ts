import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { path, type Tagged } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { venues } from '../../app/places.ts';
import { isEnquiry, venueIdOf } from '../../components/booking/booking-facts.ts';
import { ChangedMeanwhile } from '../../components/booking/changed-meanwhile.ts';
import { EarlierVisits } from '../../components/booking/earlier-visits.ts';
import { EditBooking } from '../../components/booking/edit/edit-booking.ts';
import { EnquiryAnswer } from '../../components/booking/enquiry-answer.ts';
import { Messages } from '../../components/booking/messages.ts';
import { hasMoney, Money } from '../../components/booking/money.ts';
import { guestName } from '../../components/booking/names.ts';
import { Summary } from '../../components/booking/summary.ts';
import { useBooking } from '../../components/booking/use-booking.ts';
import { Loading, Problem } from '../../components/notice.ts';
import { ThatDay } from './that-day.ts';

export interface EnquiryViewProps {
  operatorId: number;
  bookingId: string;
  onChanged: () => void;
}

/** What is asked, what is free then, what was written, and the answer at the bottom. */
export function EnquiryView({ operatorId, bookingId, onChanged }: EnquiryViewProps) {
  const handle = useBooking(operatorId, bookingId, { onChanged });
  const [isEditing, setEditing] = useState(false);
  const element = useRef<HTMLElement>(null);
  const isKnown = handle.loaded.data !== undefined;
  useEffect(() => {
    // On narrow screens it lies below the list.
    if (isKnown && matchMedia('(width < 900px)').matches) element.current?.scrollIntoView();
  }, [isKnown]);

  function shown(booking: ManagedBooking) {
    const venue = venues.value.find(({ id }) => id === venueIdOf(booking.compositeId));
    const [currency, timeZone] = [venue?.currency ?? 'GBP', venue?.timeZone];
    if (isEditing) {
      return html`<${EditBooking} handle=${handle} booking=${booking} currency=${currency} onDone=${() => setEditing(false)} />`;
    }
    return html`
      <${Summary} booking=${booking} timeZone=${timeZone} />
      ${isEnquiry(booking) && html`<${ThatDay} booking=${booking} />`}
      ${hasMoney(booking) && html`<section class="booking-part"><h3>${t.booking.money}</h3><${Money} handle=${handle} booking=${booking} currency=${currency} timeZone=${timeZone} onChanged=${onChanged} /></section>`}
      <section class="booking-part">
        <h3>${t.booking.earlier}</h3>
        <${EarlierVisits} operatorId=${operatorId} booking=${booking} />
      </section>
      ${
        booking.partner &&
        html`<section class="booking-part">
          <h3>${t.booking.messages}</h3>
          <${Messages}
            address=${handle.address}
            partnerName=${booking.partner.name}
            timeZone=${timeZone}
            lastUpdate=${booking.lastUpdate}
            canWrite=${!isEnquiry(booking)}
          />
        </section>`
      }
      ${
        handle.problem?.isChangedMeanwhile
          ? html`<${ChangedMeanwhile} differences=${handle.meanwhile} currency=${currency} />`
          : html`<${Problem} problem=${handle.problem} />`
      }
      ${
        isEnquiry(booking)
          ? html`<section class="booking-part inbox-answer"><h3>${t.booking.answer}</h3><${EnquiryAnswer} handle=${handle} booking=${booking} currency=${currency} onEdit=${() => setEditing(true)} /></section>`
          : html`<p><a class="button" href=${`${path`/console/operators/${operatorId}/bookings`}?booking=${booking.id}`}>${t.enquiries.openBooking}</a></p>`
      }
    `;
  }
  const booking = handle.loaded.data?.data;
  return html`
    <section class="panel inbox-view" ref=${element} aria-label=${booking ? guestName(booking) : t.booking.booking}>
      ${booking && html`<h2>${guestName(booking)}</h2>`}
      <${Loading} loaded=${handle.loaded}>${({ data }: Tagged<ManagedBooking>) => shown(data)}<//>
    </section>
  `;
}
