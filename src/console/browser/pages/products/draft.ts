/** A product while it is edited, and what a new one begins with. */
import type { ManagedProduct } from '../../../../features/venues/manage/product-schema.ts';
import { freeName } from '../../app/data-name.ts';

export type Product = ManagedProduct;
export type Draft = Omit<Product, 'compositeId' | 'effective' | 'isWithdrawn'>;
export type House = NonNullable<Draft['house']>;
export type Tickets = NonNullable<Draft['tickets']>;
export type Hours = Draft['hours'];
export type Week = Hours['weekly'][number];
export type Period = Week['periods'][number];
export type Weekday = Week['weekdays'][number];
export type Deposit = Draft['paymentRules'][number];
export type RefundTerm = Draft['refundTerms'][number];

const EVERY_DAY: Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/** What most houses sell, with the hours that are usual for it. */
export const TEMPLATES = {
  dinner: { opens: '17:30', closes: '22:30' },
  lunch: { opens: '12:00', closes: '15:00' },
  brunch: { opens: '10:00', closes: '14:00' },
  'afternoon-tea': { opens: '14:30', closes: '17:00' },
  drinks: { opens: '17:00', closes: '23:30' },
} as const;
export type Template = keyof typeof TEMPLATES;

export interface Beginning {
  tms: string;
  name: string;
  /** Slugs that there are. */
  categories: readonly string[];
  /** Keys of the products that there are. */
  taken: readonly string[];
  /** When the venue is open; undefined: not known. */
  venueHours?: Hours | undefined;
}

export function newDraft(template: Template | undefined, beginning: Beginning): Draft {
  const { tms, name, categories, taken, venueHours } = beginning;
  const isEvent = tms === 'tickets';
  const openDays = (venueHours?.weekly ?? []).flatMap(({ weekdays }) => weekdays);
  const weekdays = openDays.length > 0 ? [...new Set(openDays)].sort((a, b) => a - b) : EVERY_DAY;
  const period = TEMPLATES[template ?? 'dinner'];
  const wanted = isEvent ? 'tickets' : template;
  return {
    key: freeName(name, taken),
    name,
    slug: null,
    category: categories.find((slug) => slug === wanted) ?? null,
    timeIntervalMinutes: 15,
    preOrderRequiredType: 'none',
    paymentRules: [],
    refundTerms: [],
    spaceIds: [],
    packageIds: [],
    menuIds: [],
    hours: { weekly: isEvent ? [] : [{ weekdays, periods: [{ ...period }] }], exceptions: [] },
    house: tms === 'house' ? newHouse() : null,
    tickets: isEvent ? newTickets() : null,
  };
}

const newHouse = (): House => ({
  zoneIds: null,
  minGuests: null,
  maxGuests: null,
  turnTimes: [
    { upTo: 2, minutes: 90 },
    { upTo: 6, minutes: 120 },
    { upTo: 7, minutes: 150 },
  ],
  duration: { minMinutes: 60, maxMinutes: 240, stepMinutes: 15 },
  coversPerStart: null,
  instantLimit: null,
  isRequestOnly: false,
  takesEnquiries: true,
  noticeMinutes: 60,
  horizonDays: 180,
  policy: null,
  cancellationPolicy: null,
});

const newTickets = (): Tickets => ({
  pricePence: null as unknown as number,
  capacity: 100,
  minPerBooking: 1,
  maxPerBooking: 10,
  salesOpenDaysBefore: null,
  salesCloseMinutesBefore: 0,
  policy: null,
  cancellationPolicy: null,
});

export function draftOf({ compositeId: _, effective: __, isWithdrawn: ___, ...draft }: Product): Draft {
  return draft;
}

/** Another like it, with a name and key of its own. */
export const copyOf = (product: Product, name: string, taken: readonly string[]): Draft => ({
  ...draftOf(product),
  name,
  slug: null,
  key: freeName(name, taken),
});

/** What is sent to change it: its key stands in the address. */
export function bodyOf({ key: _, ...body }: Draft): Omit<Draft, 'key'> {
  return body;
}

/** Whether something below one of these members was refused. */
export const isRefused = (errors: Record<string, unknown>, members: readonly string[]) =>
  Object.keys(errors).some((path) =>
    members.some((member) => path === member || path.startsWith(`${member}.`)),
  );
