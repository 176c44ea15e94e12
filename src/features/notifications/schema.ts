import { type Static, Type } from 'typebox';
import { venueId } from '../../http/manage-route.ts';
import {
  CLOCK_TIME,
  EMAIL,
  named,
  nameText,
  nullable,
  oneOf,
  text,
} from '../../http/validation/schema-helpers.ts';
import { GUEST_MAIL_KINDS } from './guest-texts.ts';
import { LANGUAGES } from './languages.ts';

const closed = { additionalProperties: false };

/** Of one operator. */
const choices = {
  operatorId: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'An operator that you work for',
  }),
  newBooking: Type.Boolean({ description: 'A booking was made' }),
  enquiry: Type.Boolean({ description: 'An enquiry waits for an answer' }),
  cancellation: Type.Boolean({ description: 'A booking was cancelled' }),
  dailySummary: Type.Boolean({ description: 'The bookings of the day, once a day' }),
};

export const AccountNotifications = Type.Object(
  {
    language: oneOf(LANGUAGES, { description: 'Of the mails' }),
    dailySummaryAt: text('When summaries are written, on the clock of the operator', CLOCK_TIME),
    operators: Type.Array(Type.Object({ ...choices, operatorName: Type.String() }), {
      description: 'Every operator that you work for',
    }),
  },
  named('AccountNotifications', 'What you are told by mail'),
);
export type AccountNotifications = Static<typeof AccountNotifications>;

export const NotificationsBody = Type.Object(
  {
    language: oneOf(LANGUAGES),
    dailySummaryAt: Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      'x-message': 'must be a time such as 09:00',
      description: 'When summaries are written, on the clock of the operator',
    }),
    operators: Type.Array(
      // The name is what GET shows besides; it is ignored.
      Type.Object({ ...choices, operatorName: Type.Optional(nameText('As GET shows it', 1000)) }, closed),
      { maxItems: 1000, description: 'What is left out is off' },
    ),
  },
  {
    ...closed,
    ...named('AccountNotificationsBody', 'The mails that you get'),
    examples: [
      {
        language: 'en',
        dailySummaryAt: '09:00',
        operators: [
          { operatorId: 1, newBooking: true, enquiry: true, cancellation: true, dailySummary: false },
        ],
      },
    ],
  },
);
export type NotificationsBody = Static<typeof NotificationsBody>;

export const notificationsExample: AccountNotifications = {
  language: 'en',
  dailySummaryAt: '09:00',
  operators: [
    {
      operatorId: 1,
      operatorName: 'Albion Kitchens',
      newBooking: true,
      enquiry: true,
      cancellation: true,
      dailySummary: false,
    },
  ],
};

/** The most hours that `reminderHours` can be: two weeks. */
const MOST_HOURS = 336;

const settings = {
  replyTo: nullable(
    Type.String({ maxLength: 254, description: 'Where answers of guests go; null: nowhere', ...EMAIL }),
  ),
  reminderHours: nullable(
    Type.Integer({
      minimum: 1,
      maximum: MOST_HOURS,
      description: 'Hours before the start at which guests are reminded; null: they are not',
    }),
  ),
  sentence: nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'A sentence of your own, in every mail to guests; null: none',
    }),
  ),
  language: nullable(
    oneOf(LANGUAGES, {
      description: 'Of the mails; null: German or French where it is spoken, else English',
    }),
  ),
};

export const VenueMailSettings = Type.Object(
  settings,
  named('VenueMails', 'What a venue has set for its mails to guests'),
);
export type VenueMailSettings = Static<typeof VenueMailSettings>;

export const venueMailsExample: VenueMailSettings = {
  replyTo: 'desk@soho-grill.example',
  reminderHours: 24,
  sentence: 'Please ring the bell at the green door.',
  language: null,
};

export const VenueMailsBody = Type.Object(settings, {
  ...closed,
  ...named('VenueMailsBody', 'What a venue sets for its mails to guests'),
  examples: [venueMailsExample],
});

export const PreviewPath = Type.Object({ venueId });
export const PreviewQuery = Type.Object({
  kind: oneOf(GUEST_MAIL_KINDS, { description: 'Which mail' }),
  language: Type.Optional(oneOf(LANGUAGES, { description: 'Absent: that of the venue' })),
});
export type PreviewQuery = Static<typeof PreviewQuery>;

export const MailPreview = Type.Object(
  {
    subject: Type.String(),
    text: Type.String(),
    html: Type.String(),
    ics: nullable(text('What is attached for calendars; null: nothing')),
  },
  named('MailPreview', 'A mail as a guest would get it, about a booking that is made up'),
);
export type MailPreview = Static<typeof MailPreview>;

export const previewExample: MailPreview = {
  subject: 'Your booking at Soho Grill: Saturday 21 November 2026, 19:30',
  text: 'Dear Ada Lovelace,\n\nYour booking is confirmed.\n',
  html: '<!doctype html>…',
  ics: 'BEGIN:VCALENDAR\r\n…',
};
