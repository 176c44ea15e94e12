/**
 * All pages: address, who sees them, and the module, which is loaded when the page is first opened. The navigation is
 * made of this list, in this order.
 */
import type { FunctionComponent } from 'preact';
import type { PageProps } from '../app/router.ts';
import type { Role } from '../app/session.ts';
import type { IconName } from '../components/icon.ts';
import type { Messages } from '../languages/en.ts';

interface PageModule {
  default: FunctionComponent<PageProps>;
}

type Title = keyof Messages['pages'];

export interface PageEntry {
  /** Below `/console`. */
  path: string;
  title: Title;
  load: () => Promise<PageModule>;
  /** Absent: the page is reached from others and is not in the navigation. */
  icon?: IconName;
  /** At the operator that the address names. */
  least?: Role;
}

const page = (
  path: string,
  title: Title,
  load: PageEntry['load'],
  shown: Pick<PageEntry, 'icon' | 'least'> = {},
): PageEntry => ({ path, title, load, ...shown });

/** Without a session: where mails lead to. */
export const PUBLIC_PAGES: PageEntry[] = [
  page('/forgot', 'forgot', () => import('../pages/account/forgot.ts')),
  page('/reset', 'reset', () => import('../pages/account/reset.ts')),
  page('/invite', 'invite', () => import('../pages/account/invite.ts')),
  page('/verify', 'verify', () => import('../pages/account/verify.ts')),
];

/** For everyone who has signed in. */
export const OWN_PAGES: PageEntry[] = [
  page('/account', 'account', () => import('../pages/account/account.ts')),
];

const VENUE = '/venues/:venueId';

/** Of one venue. */
export const VENUE_PAGES: PageEntry[] = [
  page(`${VENUE}/tonight`, 'tonight', () => import('../pages/tonight/tonight.ts'), {
    icon: 'tonight',
    least: 'staff',
  }),
  page(`${VENUE}/waitlist`, 'waitlist', () => import('../pages/waitlist/waitlist.ts'), {
    icon: 'clock',
    least: 'staff',
  }),
  page(`${VENUE}/calendar`, 'calendar', () => import('../pages/calendar/calendar.ts'), {
    icon: 'calendar',
    least: 'staff',
  }),
  page(`${VENUE}/layout`, 'layout', () => import('../pages/layout/layout.ts'), {
    icon: 'layout',
    least: 'staff',
  }),
  page(`${VENUE}/products`, 'products', () => import('../pages/products/products.ts'), {
    icon: 'products',
    least: 'staff',
  }),
  page(`${VENUE}/menus`, 'menus', () => import('../pages/menus/menus.ts'), { icon: 'menus', least: 'staff' }),
  page(`${VENUE}/photos`, 'photos', () => import('../pages/photos/photos.ts'), {
    icon: 'photos',
    least: 'staff',
  }),
  page(`${VENUE}/faqs`, 'faqs', () => import('../pages/faqs/faqs.ts'), { icon: 'faqs', least: 'staff' }),
  page(`${VENUE}/mails`, 'mails', () => import('../pages/mails/mails.ts'), {
    icon: 'mail',
    least: 'manager',
  }),
  page(`${VENUE}/details`, 'venue', () => import('../pages/venue/venue.ts'), {
    icon: 'venue',
    least: 'staff',
  }),
];

const OPERATOR = '/operators/:operatorId';

/** Of the operator, over all its venues. */
export const OPERATOR_PAGES: PageEntry[] = [
  page(`${OPERATOR}/venues`, 'venues', () => import('../pages/venues/venues.ts'), {
    icon: 'venue',
    least: 'staff',
  }),
  page(`${OPERATOR}/bookings`, 'bookings', () => import('../pages/bookings/bookings.ts'), {
    icon: 'bookings',
    least: 'staff',
  }),
  page(`${OPERATOR}/enquiries`, 'enquiries', () => import('../pages/enquiries/enquiries.ts'), {
    icon: 'enquiry',
    least: 'staff',
  }),
  page(`${OPERATOR}/rules`, 'rules', () => import('../pages/rules/rules.ts'), {
    icon: 'rules',
    least: 'staff',
  }),
  page(`${OPERATOR}/partners`, 'partners', () => import('../pages/partners/partners.ts'), {
    icon: 'partners',
    least: 'staff',
  }),
  page(`${OPERATOR}/reports`, 'reports', () => import('../pages/reports/reports.ts'), {
    icon: 'reports',
    least: 'manager',
  }),
  page(`${OPERATOR}/people`, 'people', () => import('../pages/people/people.ts'), {
    icon: 'people',
    least: 'owner',
  }),
  page(`${OPERATOR}/audit`, 'audit', () => import('../pages/audit/audit.ts'), {
    icon: 'audit',
    least: 'manager',
  }),
  page(`${OPERATOR}/systems`, 'systems', () => import('../pages/systems/systems.ts'), {
    icon: 'systems',
    least: 'staff',
  }),
  page(`${OPERATOR}/webhooks`, 'webhooks', () => import('../pages/webhooks/webhooks.ts'), {
    icon: 'webhook',
    least: 'manager',
  }),
];

/** For those who run the platform. */
export const PLATFORM_PAGES: PageEntry[] = [
  page('/platform/health', 'health', () => import('../pages/platform/health.ts'), { icon: 'health' }),
  page('/platform/operators', 'operators', () => import('../pages/platform/operators.ts'), { icon: 'venue' }),
  page('/platform/systems', 'systems', () => import('../pages/platform/systems.ts'), { icon: 'systems' }),
  page('/platform/partners', 'partners', () => import('../pages/platform/partners.ts'), { icon: 'partners' }),
  page('/platform/mappings', 'mappings', () => import('../pages/platform/mappings.ts'), { icon: 'map' }),
  page('/platform/clients', 'clients', () => import('../pages/platform/clients.ts'), { icon: 'key' }),
  page('/platform/users', 'users', () => import('../pages/platform/users.ts'), { icon: 'people' }),
  page('/platform/vocabulary', 'vocabulary', () => import('../pages/platform/vocabulary.ts'), {
    icon: 'list',
  }),
  page('/platform/audit', 'audit', () => import('../pages/platform/audit.ts'), { icon: 'audit' }),
];

const PARTNER = '/partners/:partnerId';

/** For the developers of a partner. */
export const PARTNER_PAGES: PageEntry[] = [
  page(`${PARTNER}/start`, 'start', () => import('../pages/partner/start.ts'), { icon: 'start' }),
  page(`${PARTNER}/clients`, 'clients', () => import('../pages/partner/clients.ts'), { icon: 'key' }),
  page(`${PARTNER}/webhooks`, 'webhooks', () => import('../pages/partner/webhooks.ts'), { icon: 'webhook' }),
  page(`${PARTNER}/requests`, 'requests', () => import('../pages/partner/requests.ts'), { icon: 'list' }),
  page(`${PARTNER}/venues`, 'partnerVenues', () => import('../pages/partner/venues.ts'), { icon: 'venue' }),
  page(`${PARTNER}/rules`, 'rules', () => import('../pages/partner/rules.ts'), { icon: 'rules' }),
  page(`${PARTNER}/feeds`, 'feeds', () => import('../pages/partner/feeds.ts'), { icon: 'health' }),
  page(`${PARTNER}/people`, 'people', () => import('../pages/partner/people.ts'), { icon: 'people' }),
  page(`${PARTNER}/try`, 'tryCalls', () => import('../pages/partner/try.ts'), { icon: 'search' }),
];
