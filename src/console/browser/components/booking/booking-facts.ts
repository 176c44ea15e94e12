/** Small facts about a booking, of the list or of the diary. Pure: no words and no document are needed for them. */
export interface Names {
  guest?: { firstName: string | null; lastName: string | null } | null;
  firstName?: string | null;
  lastName?: string | null;
}

export interface Stateful extends Unpaid {
  status: string;
  visit: { state: VisitState };
}

interface Unpaid {
  /** The payment that confirms the booking; null: it waits for none. */
  paymentDue: { amount: number; currency: string; until: string } | null;
}

export type VisitState = 'expected' | 'arrived' | 'seated' | 'left' | 'no_show';

/** The five of a visit, and what a booking can be besides. */
export type ShownState = VisitState | 'unpaid' | 'enquiry' | 'in_progress' | 'rejected' | 'cancelled';

/** One word for status and visit together. */
export function stateOf({ status, visit, paymentDue }: Stateful): ShownState {
  if (awaitsPayment({ paymentDue })) return 'unpaid';
  switch (status) {
    case 'pending':
      return 'enquiry';
    case 'in_progress':
    case 'rejected':
    case 'cancelled':
    case 'no_show':
      return status;
    case 'completed':
      return 'left';
    default:
      return visit.state;
  }
}

/** Its place is kept until the deposit is paid, or the time for that is over. */
export const awaitsPayment = ({ paymentDue }: Unpaid) => paymentDue !== null;

export const isEnquiry = ({ status, paymentDue }: Unpaid & { status: string }) =>
  (status === 'pending' || status === 'in_progress') && !awaitsPayment({ paymentDue });

/** Whether it has, or had, a place: its visit can be told about. */
export const isHeld = ({ status }: { status: string }) =>
  status === 'confirmed' || status === 'completed' || status === 'no_show';

/** First and last name, or undefined where there is none. */
export function namesOf({ guest, firstName, lastName }: Names): string | undefined {
  const names = guest === undefined ? [firstName, lastName] : [guest?.firstName, guest?.lastName];
  return names.filter(Boolean).join(' ') || undefined;
}

/** The venue of a product: all but the last part of its id. */
export const venueIdOf = (compositeId: string) => compositeId.split('|').slice(0, 3).join('|');
export const productKeyOf = (compositeId: string) => compositeId.split('|').slice(3).join('|');

const MINUTES_A_DAY = 24 * 60;

/** `21:00` of a start and a number of minutes, over midnight too. */
export function endOf(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const end = (hour * 60 + minute + minutes) % MINUTES_A_DAY;
  return `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}`;
}

export interface PaidBooking {
  payments: readonly { status: string; amount: number; refunded: number }[];
  depositAmount: number | null;
}

/** What was paid here and not given back: it goes back when the venue cancels. */
export const heldPence = ({ payments }: PaidBooking) =>
  payments
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amount, refunded }) => sum + amount - refunded, 0);
