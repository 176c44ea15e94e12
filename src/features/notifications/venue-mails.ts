/** What a venue says in its mails to guests, and how they look. */
import { inSnapshot, type Sql } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import type { AuditLog } from '../audit/service.ts';
import { oneLine } from '../mail/service.ts';
import { aboutVenue, getVenueRef, lockVenueRef } from '../venues/service.ts';
import { type GuestNotice, guestLetter } from './guest-letter.ts';
import { isAddress } from './guest-notices.ts';
import type { GuestMailKind } from './guest-texts.ts';
import type { MailPreview, PreviewQuery, VenueMailSettings } from './schema.ts';
import { findShownVenue, findVenueMails, resetReminders, type ShownVenue, saveVenueMails } from './store.ts';

export interface VenueMailService {
  get(venueId: VenueId): Promise<VenueMailSettings>;
  save(
    actor: Actor,
    venueId: VenueId,
    settings: VenueMailSettings,
    ifMatch: string | undefined,
  ): Promise<VenueMailSettings>;
  preview(venueId: VenueId, query: PreviewQuery): Promise<MailPreview>;
}

export interface VenueMailDeps {
  sql: Sql;
  clock: Clock;
  auditLog: AuditLog;
  /** Our own address. */
  sender: string;
}

export function createVenueMails({ sql, clock, auditLog, sender }: VenueMailDeps): VenueMailService {
  return {
    get: (venueId) =>
      inSnapshot(sql, async (tx) => {
        await getVenueRef(tx, venueId);
        return findVenueMails(tx, venueId);
      }),

    async save(actor, venueId, settings, ifMatch) {
      assertUsable(settings);
      return auditLog.change({
        ...aboutVenue(venueId, 'mails', venueId),
        actor,
        action: 'mails.change',
        ifMatch,
        async find(tx) {
          await lockVenueRef(tx, venueId);
          return findVenueMails(tx, venueId);
        },
        async write(tx, before) {
          await saveVenueMails(tx, venueId, settings);
          if (before.reminderHours !== settings.reminderHours)
            await resetReminders(tx, venueId, nowOf(clock));
        },
      });
    },

    preview: (venueId, { kind, language }) =>
      inSnapshot(sql, async (tx) => {
        const venue = await findShownVenue(tx, venueId);
        if (!venue) throw problem('VENUE-N-001', { detail: `There is no venue ${venueId}.` });
        const settings = await findVenueMails(tx, venueId);
        const notice = madeUpNotice(venueId, venue, kind, nowOf(clock));
        const {
          subject,
          text,
          html = '',
          calendar,
        } = guestLetter(notice, settings, {
          sender,
          ...(language && { language }),
        });
        return { subject, text, html, ics: calendar?.content ?? null };
      }),
  };
}

function assertUsable({ replyTo, sentence }: VenueMailSettings): void {
  if (replyTo !== null && !isAddress(replyTo))
    throw invalid('replyTo', 'must be an address such as desk@venue.example');
  if (sentence !== null && (oneLine(sentence) === '' || oneLine(sentence) !== sentence.trim()))
    throw invalid('sentence', 'must be one line with at least one character');
}

/** A week from now, in the evening. */
function madeUpNotice(
  venueId: VenueId,
  venue: ShownVenue,
  kind: GuestMailKind,
  now: Temporal.Instant,
): GuestNotice {
  const { name, address, city, postcode, countryCode, timeZone, productName } = venue;
  const day = now.toZonedDateTimeISO(timeZone).toPlainDate().add({ days: 7 });
  const isSent = kind !== 'enquiry' && kind !== 'rejection';
  return {
    kind,
    bookingId: '00000000-0000-7000-8000-000000000000',
    to: 'ada@example.com',
    name: 'Ada Lovelace',
    venue: {
      id: venueId,
      name,
      address: [address, city, postcode].filter((part) => part).join(', '),
      countryCode,
      timeZone,
    },
    productName: productName ?? name,
    area: null,
    reference: 'EXAMPLE',
    startsAt: day.toZonedDateTime({ timeZone, plainTime: '19:30' }).toInstant().toString(),
    durationMinutes: 90,
    guests: 2,
    children: 0,
    message: null,
    calendar: isSent ? { state: kind === 'cancellation' ? 'cancelled' : 'confirmed', sequence: 0 } : null,
    toldAt: now.toString(),
  };
}
