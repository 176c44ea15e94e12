/**
 * All pages: address, who sees them, and the module, which is loaded when the page is first opened. The navigation is
 * made of this list, in this order.
 */
import type { FunctionComponent } from 'preact';
import type { IconName } from '../components/icon.ts';
import type { Messages } from '../languages/en.ts';
import type { Params } from './router.ts';
import type { Role } from './session.ts';

export interface PageProps {
  params: Params;
}

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

/** Without a session: where mails lead to. */
export const PUBLIC_PAGES: PageEntry[] = [
  { path: '/forgot', title: 'forgot', load: () => import('../pages/account/forgot.ts') },
  { path: '/reset', title: 'reset', load: () => import('../pages/account/reset.ts') },
  { path: '/invite', title: 'invite', load: () => import('../pages/account/invite.ts') },
  { path: '/verify', title: 'verify', load: () => import('../pages/account/verify.ts') },
];

/** For everyone who has signed in. */
export const OWN_PAGES: PageEntry[] = [
  { path: '/account', title: 'account', load: () => import('../pages/account/account.ts') },
];

const VENUE = '/venues/:venueId';

/** Of one venue. */
export const VENUE_PAGES: PageEntry[] = [
  {
    path: `${VENUE}/tonight`,
    title: 'tonight',
    icon: 'tonight',
    least: 'staff',
    load: () => import('../pages/tonight/tonight.ts'),
  },
  {
    path: `${VENUE}/calendar`,
    title: 'calendar',
    icon: 'calendar',
    least: 'staff',
    load: () => import('../pages/calendar/calendar.ts'),
  },
  {
    path: `${VENUE}/layout`,
    title: 'layout',
    icon: 'layout',
    least: 'staff',
    load: () => import('../pages/layout/layout.ts'),
  },
  {
    path: `${VENUE}/products`,
    title: 'products',
    icon: 'products',
    least: 'staff',
    load: () => import('../pages/products/products.ts'),
  },
  {
    path: `${VENUE}/menus`,
    title: 'menus',
    icon: 'menus',
    least: 'staff',
    load: () => import('../pages/menus/menus.ts'),
  },
  {
    path: `${VENUE}/photos`,
    title: 'photos',
    icon: 'photos',
    least: 'staff',
    load: () => import('../pages/photos/photos.ts'),
  },
  {
    path: `${VENUE}/faqs`,
    title: 'faqs',
    icon: 'faqs',
    least: 'staff',
    load: () => import('../pages/faqs/faqs.ts'),
  },
  {
    path: `${VENUE}/mails`,
    title: 'mails',
    icon: 'mail',
    least: 'manager',
    load: () => import('../pages/mails/mails.ts'),
  },
  {
    path: `${VENUE}/details`,
    title: 'venue',
    icon: 'venue',
    least: 'staff',
    load: () => import('../pages/venue/venue.ts'),
  },
];

const OPERATOR = '/operators/:operatorId';

/** Of the operator, over all its venues. */
export const OPERATOR_PAGES: PageEntry[] = [
  {
    path: `${OPERATOR}/bookings`,
    title: 'bookings',
    icon: 'bookings',
    least: 'staff',
    load: () => import('../pages/bookings/bookings.ts'),
  },
  {
    path: `${OPERATOR}/enquiries`,
    title: 'enquiries',
    icon: 'enquiry',
    least: 'staff',
    load: () => import('../pages/enquiries/enquiries.ts'),
  },
  {
    path: `${OPERATOR}/rules`,
    title: 'rules',
    icon: 'rules',
    least: 'staff',
    load: () => import('../pages/rules/rules.ts'),
  },
  {
    path: `${OPERATOR}/partners`,
    title: 'partners',
    icon: 'partners',
    least: 'staff',
    load: () => import('../pages/partners/partners.ts'),
  },
  {
    path: `${OPERATOR}/reports`,
    title: 'reports',
    icon: 'reports',
    least: 'manager',
    load: () => import('../pages/reports/reports.ts'),
  },
  {
    path: `${OPERATOR}/people`,
    title: 'people',
    icon: 'people',
    least: 'owner',
    load: () => import('../pages/people/people.ts'),
  },
  {
    path: `${OPERATOR}/audit`,
    title: 'audit',
    icon: 'audit',
    least: 'manager',
    load: () => import('../pages/audit/audit.ts'),
  },
  {
    path: `${OPERATOR}/systems`,
    title: 'systems',
    icon: 'systems',
    least: 'staff',
    load: () => import('../pages/systems/systems.ts'),
  },
  {
    path: `${OPERATOR}/webhooks`,
    title: 'webhooks',
    icon: 'webhook',
    least: 'manager',
    load: () => import('../pages/webhooks/webhooks.ts'),
  },
  {
    path: `${OPERATOR}/venues`,
    title: 'venues',
    icon: 'venue',
    least: 'staff',
    load: () => import('../pages/venues/venues.ts'),
  },
];

/** For those who run the platform. */
export const PLATFORM_PAGES: PageEntry[] = [
  {
    path: '/platform/health',
    title: 'health',
    icon: 'health',
    load: () => import('../pages/platform/health.ts'),
  },
  {
    path: '/platform/operators',
    title: 'operators',
    icon: 'venue',
    load: () => import('../pages/platform/operators.ts'),
  },
  {
    path: '/platform/partners',
    title: 'partners',
    icon: 'partners',
    load: () => import('../pages/platform/partners.ts'),
  },
  {
    path: '/platform/mappings',
    title: 'mappings',
    icon: 'map',
    load: () => import('../pages/platform/mappings.ts'),
  },
  {
    path: '/platform/clients',
    title: 'clients',
    icon: 'key',
    load: () => import('../pages/platform/clients.ts'),
  },
  {
    path: '/platform/users',
    title: 'users',
    icon: 'people',
    load: () => import('../pages/platform/users.ts'),
  },
  {
    path: '/platform/vocabulary',
    title: 'vocabulary',
    icon: 'list',
    load: () => import('../pages/platform/vocabulary.ts'),
  },
  {
    path: '/platform/audit',
    title: 'audit',
    icon: 'audit',
    load: () => import('../pages/platform/audit.ts'),
  },
];

const PARTNER = '/partners/:partnerId';

/** For the developers of a partner. */
export const PARTNER_PAGES: PageEntry[] = [
  {
    path: `${PARTNER}/start`,
    title: 'start',
    icon: 'start',
    load: () => import('../pages/partner/start.ts'),
  },
  {
    path: `${PARTNER}/clients`,
    title: 'clients',
    icon: 'key',
    load: () => import('../pages/partner/clients.ts'),
  },
  {
    path: `${PARTNER}/webhooks`,
    title: 'webhooks',
    icon: 'webhook',
    load: () => import('../pages/partner/webhooks.ts'),
  },
  {
    path: `${PARTNER}/requests`,
    title: 'requests',
    icon: 'list',
    load: () => import('../pages/partner/requests.ts'),
  },
  {
    path: `${PARTNER}/venues`,
    title: 'partnerVenues',
    icon: 'venue',
    load: () => import('../pages/partner/venues.ts'),
  },
  {
    path: `${PARTNER}/rules`,
    title: 'rules',
    icon: 'rules',
    load: () => import('../pages/partner/rules.ts'),
  },
  {
    path: `${PARTNER}/feeds`,
    title: 'feeds',
    icon: 'health',
    load: () => import('../pages/partner/feeds.ts'),
  },
  {
    path: `${PARTNER}/people`,
    title: 'people',
    icon: 'people',
    load: () => import('../pages/partner/people.ts'),
  },
  {
    path: `${PARTNER}/try`,
    title: 'tryCalls',
    icon: 'search',
    load: () => import('../pages/partner/try.ts'),
  },
];
