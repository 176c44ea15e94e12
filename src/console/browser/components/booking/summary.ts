import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { ago, longDate, momentOf, money, timeIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { Icon, type IconName } from '../icon.ts';
import { endOf } from './booking-facts.ts';
import { cameFrom, partyText } from './names.ts';
import { StateTag } from './state-tag.ts';

const Line = ({ icon, label, children }: { icon: IconName; label: string; children: unknown }) => html`
  <div><dt><${Icon} name=${icon} size=${18} /><span class="visually-hidden">${label}</span></dt><dd>${children}</dd></div>
`;

const sitsAt = ({ tmsTables = [], area }: ManagedBooking) =>
  tmsTables.length === 0 ? t.booking.noTable : t.booking.atTable(tmsTables.join(' + '), area?.name);

const dueSentence = (
  { amount, currency, until }: NonNullable<ManagedBooking['paymentDue']>,
  timeZone: string | undefined,
) => t.booking.paymentDue(money(amount, currency), timeIn(until, timeZone));

export interface SummaryProps {
  booking: ManagedBooking;
  timeZone: string | undefined;
}

/** What, who, where: all that is known before anything is done. */
export const Summary = ({ booking, timeZone }: SummaryProps) => html`
  <div class="booking-summary">
    <p class="booking-when">
      <strong>${booking.time}–${endOf(booking.time, booking.duration)}</strong> ${longDate(booking.date)}
    </p>
    <p class="row">
      <${StateTag} booking=${booking} />
      <span class="tag">${partyText(booking)}</span>
      ${booking.labels.map((label) => html`<span key=${label} class="tag">${label}</span>`)}
      ${(booking.flags ?? []).map((flag) => html`<span key=${flag} class="tag warn"><${Icon} name="warning" size=${14} /> ${flag}</span>`)}
    </p>
    ${booking.paymentDue && html`<p class="booking-note"><${Icon} name="money" size=${18} /><span>${dueSentence(booking.paymentDue, timeZone)}</span></p>`}
    ${
      booking.notes &&
      html`<p class="booking-note"><${Icon} name="note" size=${18} /><span><span class="visually-hidden">${t.booking.fields.notes}: </span>${booking.notes}</span></p>`
    }
    ${
      booking.admin_notes &&
      html`<p class="booking-note"><${Icon} name="lock" size=${18} /><span><span class="small">${t.booking.houseNotes}: </span>${booking.admin_notes}</span></p>`
    }
    <dl class="booking-lines">
      <${Line} icon="venue" label=${t.frame.venue}>${booking.venueName} · ${booking.productName}<//>
      <${Line} icon="floor" label=${t.booking.fields.tmsTables}>${sitsAt(booking)}<//>
      ${booking.email && html`<${Line} icon="mail" label=${t.booking.fields.email}><a href=${`mailto:${booking.email}`}>${booking.email}</a><//>`}
      ${booking.phone && html`<${Line} icon="phone" label=${t.booking.fields.phone}><a href=${`tel:${booking.phone.replace(/\s/g, '')}`}>${booking.phone}</a><//>`}
      ${booking.company && html`<${Line} icon="people" label=${t.booking.fields.company}>${booking.company}<//>`}
      <${Line} icon="partners" label=${t.booking.from}>
        ${cameFrom(booking)}, <span title=${momentOf(booking.createdDate, timeZone)}>${ago(booking.createdDate)}</span>
      <//>
      <${Line} icon="bookings" label=${t.booking.number}>${numbersOf(booking)}<//>
      ${booking.visit.state !== 'expected' && html`<${Line} icon="clock" label=${t.booking.fields.visit}>${timesOf(booking, timeZone)}<//>`}
    </dl>
  </div>
`;

const numbersOf = ({ operatorBookingId, partnerBookingId, id }: ManagedBooking) =>
  [operatorBookingId, partnerBookingId && t.booking.partnersNumber(partnerBookingId)]
    .filter(Boolean)
    .join(' · ') || id;

function timesOf({ visit }: ManagedBooking, timeZone: string | undefined): string {
  const { arrivedAt, seatedAt, leftAt } = visit;
  return t.booking.times(
    ...([arrivedAt, seatedAt, leftAt].map((at) => (at === null ? null : timeIn(at, timeZone))) as [
      string | null,
      string | null,
      string | null,
    ]),
  );
}
