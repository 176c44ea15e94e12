/** What the examples of the client take as given. */
import type {
  Booking,
  Maitred,
  OrderItem,
  WaitlistEntry,
  WebhookSubscriptionWithSecret,
} from '@maitred/client';

export interface Given {
  maitred: Maitred;
  /** A day next week. */
  day: string;
  dinner: string;
  slot(): { date: string; time: string; partySize: number };
  item(): Promise<OrderItem>;
  create(): Promise<Booking>;
  join(): Promise<WaitlistEntry>;
  subscribe(): Promise<WebhookSubscriptionWithSecret>;
  /** What examples print is not read. */
  console: Pick<Console, 'log'>;
}

const DINNER = '1|house|soho-grill|dinner';
const GUEST = { firstName: 'Ada', lastName: 'Lovelace' };

export function given(maitred: Maitred, receiverUrl: string): Given {
  const today = Temporal.Now.plainDateISO('Europe/London');
  let days = 7;
  const slot = () => {
    days += 1;
    return { date: today.add({ days }).toString(), time: '19:30', partySize: 2 };
  };
  return {
    maitred,
    day: today.add({ days: 7 }).toString(),
    dinner: DINNER,
    slot,
    async item() {
      const { partySize, ...start } = slot();
      return { compositeId: DINNER, quantity: partySize, ...start, ...GUEST };
    },
    create: () => maitred.bookings.create(DINNER, { type: 'book', ...slot(), ...GUEST }),
    join: () =>
      maitred.waitlist.join(DINNER, {
        date: slot().date,
        from: '19:00',
        to: '21:00',
        partySize: 2,
        ...GUEST,
      }),
    subscribe: () =>
      maitred.webhooks.subscriptions.create({ callbackUrl: `${receiverUrl}/${crypto.randomUUID()}` }),
    console: { log() {} },
  };
}
