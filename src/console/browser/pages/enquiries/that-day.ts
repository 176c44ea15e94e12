import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import type { ProductStarts } from '../../../../features/bookings/operator/starts-schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { productKeyOf, venueIdOf } from '../../components/booking/booking-facts.ts';
import { nearestTo } from '../../components/booking/edit/edit-values.ts';
import { Icon } from '../../components/icon.ts';

const SHOWN = 5;

/** Whether there is a place for the party at the time it asks for, and when else. */
export function ThatDay({ booking }: { booking: ManagedBooking }) {
  const { compositeId, date, time, partySize, children, lastUpdate } = booking;
  const venueId = venueIdOf(compositeId);
  const { data } = useLoad(
    () =>
      api
        .get<{ data: ProductStarts[] }>(path`/manage/venues/${venueId}/starts`, {
          date,
          partySize,
          children,
          productKey: productKeyOf(compositeId),
          bookingId: booking.id,
        })
        // Systems that cannot say so are no reason to complain: accepting will tell.
        .catch(() => ({ data: [] })),
    [venueId, booking.id, lastUpdate],
  );
  const product = data?.data[0];
  const start = product?.starts.find((one) => one.time === time);
  const free = product?.starts.filter((one) => one.isFree) ?? [];
  const others = nearestTo(free, time, SHOWN).map((one) => one.time);
  const refusal = start?.refusal?.detail ?? product?.refusal?.detail;
  return html`
    <section class="booking-part">
      <h3>${t.enquiries.evening}</h3>
      ${
        product &&
        (start?.isFree
          ? html`<p><span class="tag good"><${Icon} name="check" size=${14} /> ${t.enquiries.freeAt(time)}</span></p>`
          : html`
              <p><span class="tag warn"><${Icon} name="warning" size=${14} /> ${t.enquiries.notFreeAt(time)}</span></p>
              ${refusal && html`<p class="small quiet">${refusal}</p>`}
              ${others.length > 0 && html`<p class="small">${t.enquiries.freeInstead(others.join(', '))}</p>`}
            `)
      }
      <p><a href=${`${path`/console/venues/${venueId}/tonight`}?date=${date}`}>${t.enquiries.seeDay}</a></p>
    </section>
  `;
}
