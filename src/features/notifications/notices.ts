/**
 * What is told of new and changed bookings: to guests that the venue writes to, and to people who have asked for it.
 * It is written in the transaction of the change. A change without readers costs no statement.
 */
import type { Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import {
  awaitsPayment,
  type BookingNotices,
  guestNameOf,
  guestsOf,
  isOpenEnquiry,
  isPlaced,
  type ToldChange,
} from '../bookings/service.ts';
import type { Mailing, MailRequest } from '../mail/service.ts';
import { type GuestNotice, guestLetter } from './guest-letter.ts';
import { addressOfGuest, guestMailKindOf, guestNoticeOf, hasEnded, isAddress } from './guest-notices.ts';
import type { GuestMailKind } from './guest-texts.ts';
import { type PeopleNotice, peopleLetter } from './people-letter.ts';
import { listReaders, listWanted, type PeopleKind } from './people-store.ts';
import { countGuestMails, findVenueMails } from './store.ts';
import { type WaitingNotice, waitingLetter } from './waiting-letter.ts';

/** Tried for so long. */
const HOURS_TO_SEND = 24;
/** Purposes of requests. */
const GUEST = 'guest';
const PEOPLE = 'people';
const WAITING = 'waiting';
const REMINDER = 'guest.reminder';

/** Topic of changes of what people want to be told. */
const TOPIC = 'notifications';

export interface NoticesDeps {
  clock: Clock;
  notifications: Notifications;
  mailing: Mailing;
}

export interface Notices extends BookingNotices {
  /** A mail to the guest of a booking; it tells the booking as it is given. */
  requestFor(notice: GuestNotice, expiresAt: Temporal.Instant): MailRequest;
  /** A mail to a guest on a waiting list; of no use any more after `expiresAt`. */
  tellWaiting(tx: Tx, notice: WaitingNotice, expiresAt: Temporal.Instant): Promise<void>;
  /** What waits to be sent about these entries goes. */
  forgetWaiting(tx: Tx, entryIds: readonly string[]): Promise<void>;
}

interface GuestChange {
  change: ToldChange;
  kind: GuestMailKind;
  to: string;
}

export function createNotices({ clock, notifications, mailing }: NoticesDeps): Notices {
  const wanted = createWantedCache(notifications);
  mailing.onRequest(GUEST, async (tx, notice: GuestNotice) => {
    const settings = await findVenueMails(tx, notice.venue.id);
    return guestLetter(notice, settings, { sender: mailing.senderAddress });
  });
  mailing.onRequest(WAITING, async (tx, notice: WaitingNotice) =>
    waitingLetter(notice, await findVenueMails(tx, notice.venue.id)),
  );
  mailing.onRequest(PEOPLE, async (tx, told: { bookingId: string; notice: PeopleNotice }) => {
    const { bookingId, notice } = told;
    const expiresAt = nowOf(clock).add({ hours: HOURS_TO_SEND });
    const queued = { kind: `person.${notice.kind}`, bookingId, expiresAt };
    const readers = await listReaders(tx, notice);
    await mailing.post(tx, ...readers.map((reader) => ({ ...peopleLetter(notice, reader), ...queued })));
    return undefined;
  });

  function requestFor(notice: GuestNotice, expiresAt: Temporal.Instant): MailRequest {
    const { kind, bookingId } = notice;
    const thread = `guest ${bookingId}`;
    return { purpose: GUEST, data: notice, kind: `guest.${kind}`, bookingId, thread, expiresAt };
  }

  async function guestRequests(tx: Tx, changes: readonly ToldChange[]): Promise<MailRequest[]> {
    const now = nowOf(clock);
    // Also where the new guest has no address: a reminder that waits would go to the former one.
    const readdressed = changes.filter(
      ({ before, after }) => before && addressOfGuest(before) !== addressOfGuest(after),
    );
    if (readdressed.length > 0)
      await mailing.discard(
        tx,
        readdressed.map(({ after }) => after.id),
        [REMINDER],
      );
    const guests = changes.flatMap((change) => guestChangeOf(change, now) ?? []);
    if (guests.length === 0) return [];
    const sequences = await countGuestMails(
      tx,
      guests.map(({ change: { after } }) => ({
        bookingId: after.id,
        partnerId: after.partnerId,
        venueId: after.venueId,
        toldAt: after.lastUpdate,
        startsAt: isPlaced(after) ? after.startsAt : null,
      })),
    );
    // A reminder that still waits tells what is no longer so.
    const changed = guests.flatMap(({ change }) => (change.before === null ? [] : change.after.id));
    const superseded = changed.filter((id) => sequences.has(id));
    if (superseded.length > 0) await mailing.discard(tx, superseded, [REMINDER]);
    const expiresAt = now.add({ hours: HOURS_TO_SEND });
    return guests.flatMap(({ change: { after, message }, kind, to }) => {
      const sequence = sequences.get(after.id);
      return sequence === undefined
        ? []
        : requestFor(guestNoticeOf(after, { kind, to, sequence, message }), expiresAt);
    });
  }

  async function peopleRequests(tx: Tx, changes: readonly ToldChange[]): Promise<MailRequest[]> {
    const byOperator = await wanted.get(tx);
    if (byOperator.size === 0) return [];
    const expiresAt = nowOf(clock).add({ hours: HOURS_TO_SEND });
    return changes.flatMap((change) => {
      const kind = peopleKindOf(change);
      const { id: bookingId, operatorId } = change.after;
      if (kind === undefined || !byOperator.get(operatorId)?.has(kind)) return [];
      const data = { bookingId, notice: peopleNoticeOf(change, kind) };
      return { purpose: PEOPLE, data, kind: `person.${kind}`, bookingId, expiresAt };
    });
  }

  return {
    requestFor,

    async tell(tx, changes) {
      const requests = [...(await guestRequests(tx, changes)), ...(await peopleRequests(tx, changes))];
      if (requests.length > 0) await mailing.request(tx, ...requests);
    },

    forget: (tx, bookingIds) => mailing.discard(tx, bookingIds),

    async tellWaiting(tx, notice, expiresAt) {
      if (!isAddress(notice.to)) return;
      // The queue knows what a mail is about by one id, of a booking or, here, of an entry.
      const { kind, entryId: bookingId } = notice;
      const queued = { kind: `waitlist.${kind}`, bookingId, thread: `waitlist ${bookingId}`, expiresAt };
      await mailing.request(tx, { purpose: WAITING, data: notice, ...queued });
    },

    forgetWaiting: (tx, entryIds) => mailing.discard(tx, entryIds),
  };
}

/** Undefined: the guest is not told, as far as that is known without asking the database. */
function guestChangeOf(change: ToldChange, now: Temporal.Instant): GuestChange | undefined {
  if (change.guestMails === 'partner') return undefined;
  const kind = guestMailKindOf(change);
  const to = addressOfGuest(change.after);
  if (kind === undefined || to === undefined || hasEnded(change.after, now)) return undefined;
  return { change, kind, to };
}

/** A walk-in stands in front of them; what is not paid yet is none of their business. */
function peopleKindOf({ before, after }: ToldChange): PeopleKind | undefined {
  if (awaitsPayment(after)) return undefined;
  if (before !== null && awaitsPayment(before)) return isPlaced(after) ? 'newBooking' : undefined;
  if (before === null) {
    if (isOpenEnquiry(after)) return 'enquiry';
    return after.origin === 'walk_in' ? undefined : 'newBooking';
  }
  return after.status === 'cancelled' && before.status !== 'cancelled' ? 'cancellation' : undefined;
}

function peopleNoticeOf({ after, madeBy }: ToldChange, kind: PeopleKind): PeopleNotice {
  const { guest, venue } = after;
  return {
    kind,
    operatorId: after.operatorId,
    madeBy,
    venueName: venue.name,
    productName: venue.productName,
    timeZone: venue.timeZone,
    startsAt: after.startsAt.toString(),
    guests: guestsOf(after),
    name: guestNameOf(guest) ?? '',
    from: after.origin ?? after.partnerSource,
    notes: guest?.comments ?? null,
    reference: after.operatorBookingId,
  };
}

/** What is wanted, read once and dropped with every change of it. */
function createWantedCache(notifications: Notifications) {
  let known: ReadonlyMap<number, ReadonlySet<PeopleKind>> | undefined;
  let generation = 0;
  const drop = () => {
    known = undefined;
    generation += 1;
  };
  notifications.subscribe({
    changed: (topic) => void (topic === TOPIC && drop()),
    lost: drop,
  });
  return {
    async get(tx: Tx): Promise<ReadonlyMap<number, ReadonlySet<PeopleKind>>> {
      if (known && notifications.isConnected()) return known;
      const before = generation;
      const read = await listWanted(tx);
      if (before === generation && notifications.isConnected()) known = read;
      return read;
    },
  };
}
