/** Bookings as they are selected. */
import type { Fragment, Tx } from '../../db/database.ts';
import type { BookedVenue, BookingRecord, PaymentRecord, VisitState } from './record.ts';

export interface Row
  extends Omit<BookingRecord, 'guest' | 'area' | 'payments' | 'venue' | 'visit'>,
    VenueColumns {
  visitState: VisitState;
  arrivedAt: Temporal.Instant | null;
  seatedAt: Temporal.Instant | null;
  leftAt: Temporal.Instant | null;
  guest: Buffer | null;
  areaId: number | null;
  areaName: string | null;
  hasPayments: boolean;
}

type VenueColumns = Omit<BookedVenue, 'name' | 'location'> & BookedVenue['location'] & { venueName: string };

export function venueOf(row: VenueColumns): BookedVenue {
  const { lat, lng, address, area, city, postcode, countryCode } = row;
  return {
    name: row.venueName,
    operatorName: row.operatorName,
    productName: row.productName,
    timeZone: row.timeZone,
    isClosed: row.isClosed,
    paymentRules: row.paymentRules,
    location: { lat, lng, address, area, city, postcode, countryCode },
  };
}

export function selected(tx: Tx): Fragment {
  return tx`
    select b.id, b.partner_id as "partnerId", b.client_id as "clientId", b.operator_id as "operatorId",
      b.venue_id as "venueId", b.product_id as "productId", b.partner_booking_id as "partnerBookingId",
      b.operator_booking_id as "operatorBookingId", b.origin,
      b.visit_state as "visitState", b.arrived_at as "arrivedAt", b.seated_at as "seatedAt", b.left_at as "leftAt",
      b.source, b.partner_source as "partnerSource", b.type, b.status,
      b.trading_day as date, b.starts_minute as minute, b.starts_at as "startsAt",
      b.duration_minutes as "durationMinutes", b.requested_duration_minutes as "requestedDurationMinutes",
      b.adults, b.children, b.space_id as "spaceId", b.preorders, b.deposit_pence as "depositPence",
      b.price_per_guest_pence as "pricePerGuestPence", b.has_payments as "hasPayments", b.guest,
      b.area_id as "areaId", b.area_name as "areaName", b.tables, b.is_auto_confirmed as "isAutoConfirmed",
      b.flags, b.skips_preorder_email as "skipsPreorderEmail", b.ruled_balance_pence as "ruledBalancePence",
      b.actual_guests as "actualGuests", b.actual_spend_pence as "actualSpendPence", b.created_at as "createdAt",
      b.tms_created_at as "tmsCreatedAt", b.last_update as "lastUpdate",
      v.name as "venueName", o.name as "operatorName", p.name as "productName", v.time_zone as "timeZone",
      v.closed_at is not null as "isClosed", b.was_placed as "wasPlaced", b.refund_terms as "refundTerms",
      b.held_terms as "heldTerms", coalesce(b.held_terms -> 'paymentRules', p.payment_rules) as "paymentRules",
      v.lat, v.lng, v.address, v.area, v.city, v.postcode, v.country_code as "countryCode"
    from booking b
      join venue v on v.id = b.venue_id
      join operator o on o.id = b.operator_id
      join product p on p.id = b.product_id`;
}

type PaymentRow = PaymentRecord & { bookingId: string };

export async function listPayments(tx: Tx, bookingIds: string[]): Promise<PaymentRow[]> {
  const rows = await tx<PaymentRow[]>`
    select booking_id as "bookingId", id, option, status, amount_pence as "amountPence", currency, method,
      checkout_url as "checkoutUrl", created_at as "createdAt",
      (select coalesce(sum(amount_pence), 0)::bigint from refund r where r.payment_id = y.id) as "refundedPence"
    from payment y where booking_id = any(${bookingIds}::uuid[]) order by id`;
  return [...rows];
}
