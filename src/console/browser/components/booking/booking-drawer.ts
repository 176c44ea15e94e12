import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import type { Tagged } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { venues } from '../../app/places.ts';
import { Dialog } from '../dialog.ts';
import { Loading } from '../notice.ts';
import { BookingDetail } from './booking-detail.ts';
import { venueIdOf } from './booking-facts.ts';
import { guestName } from './names.ts';
import { useBooking } from './use-booking.ts';

export interface BookingDrawerProps {
  operatorId: number;
  bookingId: string;
  onClose: () => void;
  /** After every write, and when one was undone. */
  onChanged?: () => void;
  /** Opens another booking of the same guest. */
  onOpen?: (bookingId: string) => void;
  /** Those of the venue, where they are not known from the address. */
  currency?: string;
  timeZone?: string;
  /** Read again when it changes, such as `lastUpdate` of the diary. */
  version?: unknown;
}

/** A booking at the right edge, over the page that it was opened from. Another booking is another drawer. */
export const BookingDrawer = (props: BookingDrawerProps) =>
  html`<${Drawer} key=${props.bookingId} ...${props} />`;

function Drawer(props: BookingDrawerProps) {
  const { operatorId, bookingId, onClose, onChanged, onOpen, version } = props;
  const handle = useBooking(operatorId, bookingId, { version, onChanged });
  const booking = handle.loaded.data?.data;
  const venue = venues.value.find(({ id }) => booking && id === venueIdOf(booking.compositeId));
  return html`
    <${Dialog} kind="drawer" title=${booking ? guestName(booking) : t.booking.booking} onClose=${onClose}>
      <${Loading} loaded=${handle.loaded}>
        ${({ data }: Tagged<ManagedBooking>) => html`
          <${BookingDetail}
            handle=${handle}
            booking=${data}
            currency=${props.currency ?? venue?.currency ?? 'GBP'}
            timeZone=${props.timeZone ?? venue?.timeZone}
            onChanged=${onChanged}
            onOpen=${onOpen}
          />
        `}
      <//>
    <//>
  `;
}
