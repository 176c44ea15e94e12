/** What the tests of mails about bookings share: an application with a mail server, and a clock that is moved. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import ICAL from 'ical.js';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type MailServer, type ReceivedMessage, startMailServer } from '../../support/peers/mail-server.ts';
import { callNow, standingClock } from '../bookings/amend/amending.ts';
import type { Body } from '../bookings/support.ts';

export const SOHO = '1|house|soho-grill';
export const MAPPING = `/manage/partners/1/mappings/${encodeURIComponent(SOHO)}`;

/** At ten in the morning, so that no test passes midnight. */
const start = () => Temporal.Now.zonedDateTimeISO('Europe/London').with({ hour: 10, minute: 0 }).toInstant();

export function mailedApp() {
  const time = standingClock(start());
  const started = new AsyncDisposableStack();
  let maitred: TestApp;
  let server: MailServer;
  before(async () => {
    server = await startMailServer();
    started.defer(() => server.close());
    maitred = await startTestApp({
      config: { smtpUrl: server.url, mailFrom: 'Maitred <no-reply@maitred.example>' },
      deps: { clock: time.clock },
    });
    started.defer(() => maitred.close());
    await maitred.sql`delete from account_notification`;
  });
  after(() => started.disposeAsync());

  return {
    maitred: () => maitred,
    server: () => server,
    time,
    /** What was sent since it was last asked for, in the order of sending. */
    async sent(): Promise<ReceivedMessage[]> {
      await maitred.services.mailing.sendDue();
      return server.received.splice(0);
    },
    /** Says who writes to the guests of the demo partner at Soho Grill. */
    async setGuestMails(guestMails: 'partner' | 'venue'): Promise<void> {
      const { json } = await callNow(maitred, MAPPING, { as: 'demo-admin' });
      const body = { ...json, guestMails };
      const saved = await callNow(maitred, MAPPING, { method: 'PUT', as: 'demo-admin', body });
      assert.deepEqual([saved.status, saved.json.guestMails], [200, guestMails], saved.text);
    },
    /** Gives a booking to the house, which then writes to its guest whatever the partner does. */
    async giveToHouse(id: string): Promise<void> {
      await maitred.sql`
        update booking set partner_id = null, partner_booking_id = null, origin = 'phone' where id = ${id}`;
    },
  };
}

export const subjectOf = ({ headers }: ReceivedMessage): string => decodeWords(headers.get('subject') ?? '');

/** RFC 2047. */
const decodeWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?(B|Q)\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : Buffer.from(
            word
              .replaceAll('_', ' ')
              .replace(/=([0-9A-F]{2})/g, (__, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ).toString(),
    );

export function partOf({ parts }: ReceivedMessage, type: string): string {
  const part = parts.find((each) => each.type.startsWith(type));
  assert.ok(part, `no ${type} among ${parts.map((each) => each.type).join(', ')}`);
  return part.content.replaceAll('\r\n', '\n');
}

export interface ReadEntry {
  method: string;
  uid: string;
  sequence: number;
  status: string;
  startMs: number;
  zone: string;
}

/** The calendar entry of a mail, read by another implementation; undefined: it has none. */
export function entryOf(message: ReceivedMessage): ReadEntry | undefined {
  const part = message.parts.find((each) => each.type.startsWith('text/calendar'));
  if (!part) return undefined;
  const calendar = new ICAL.Component(ICAL.parse(part.content));
  ICAL.TimezoneService.reset();
  for (const zone of calendar.getAllSubcomponents('vtimezone'))
    ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  const component = calendar.getFirstSubcomponent('vevent');
  assert.ok(component);
  const event = new ICAL.Event(component);
  const method = String(calendar.getFirstPropertyValue('method'));
  assert.match(part.type, new RegExp(`method=${method}`));
  return {
    method,
    uid: event.uid,
    sequence: event.sequence,
    status: String(component.getFirstPropertyValue('status')),
    startMs: event.startDate.toUnixTime() * 1000,
    zone: event.startDate.zone.tzid,
  };
}

export const startMsOf = ({ dateTime }: Body) => Temporal.Instant.from(dateTime).epochMilliseconds;
