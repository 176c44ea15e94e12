import { manageRoutes, venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import {
  AccountNotifications,
  MailPreview,
  NotificationsBody,
  notificationsExample,
  PreviewPath,
  PreviewQuery,
  previewExample,
  VenueMailSettings,
  VenueMailsBody,
  venueMailsExample,
} from './schema.ts';
import type { NotificationService } from './service.ts';

export function notificationRoutes(app: App, { account, venueMails }: NotificationService): void {
  const own = manageRoutes(app, 'Manage: users');
  own.get('/manage/account/notifications', {
    access: 'manage:user',
    operationId: 'getNotifications',
    summary: 'What you are told by mail',
    description: 'For every operator that you work for. Everything is off until you switch it on.',
    result: AccountNotifications,
    example: notificationsExample,
    run: ({ actor }) => account.get(actor),
  });
  own.put('/manage/account/notifications', {
    access: 'manage:user',
    operationId: 'changeNotifications',
    summary: 'Decide what you are told by mail',
    description:
      'Of new bookings, enquiries and cancellations you are told at once, unless you have made the change yourself; walk-ins are not told. The summary comes once a day and lists the bookings and guests of the day and the enquiries that wait.',
    body: NotificationsBody,
    result: AccountNotifications,
    example: notificationsExample,
    problems: ['OPRTR-N-002'],
    run: ({ actor, body, ifMatch }) => account.save(actor, body, ifMatch),
  });

  const venue = manageRoutes(app, 'Manage: venues');
  venue.get('/manage/venues/:venueId/mails', {
    access: 'manage:manager',
    operationId: 'getVenueMails',
    summary: 'How a venue writes to guests',
    description:
      'Guests of bookings of the house get mails from the venue if their address is known; those of a partner if its mapping says `guestMails: "venue"`.',
    params: venuePath,
    result: VenueMailSettings,
    example: venueMailsExample,
    problems: ['VENUE-N-001'],
    run: ({ params }) => venueMails.get(params.venueId),
  });
  venue.put('/manage/venues/:venueId/mails', {
    access: 'manage:manager',
    operationId: 'changeVenueMails',
    summary: 'Decide how a venue writes to guests',
    description:
      'Holds for mails that are sent from now on. Another `reminderHours` holds for bookings that are there already, too, where that moment is still to come.',
    params: venuePath,
    body: VenueMailsBody,
    result: VenueMailSettings,
    example: venueMailsExample,
    problems: ['VENUE-N-001'],
    run: ({ actor, params, body, ifMatch }) => venueMails.save(actor, params.venueId, body, ifMatch),
  });
  venue.list('/manage/venues/:venueId/mails/preview', {
    access: 'manage:manager',
    operationId: 'previewVenueMail',
    summary: 'See a mail to guests',
    description: 'With what the venue has set, about a booking that is made up. Nothing is sent.',
    params: PreviewPath,
    query: PreviewQuery,
    result: MailPreview,
    example: previewExample,
    problems: ['VENUE-N-001'],
    run: ({ params, query }) => venueMails.preview(params.venueId, query),
  });
}
