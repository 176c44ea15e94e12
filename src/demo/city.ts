/**
 * Operators 4 and 5 have many venues of a few kinds. They are written as one row each, city by city;
 * the kind decides on hours and products.
 */

import type { Hours } from '../features/venues/hours/hours.ts';
import type {
  AvailabilityRuleDocument,
  ProductDocument,
  RefundTerm,
  SpaceDocument,
  VenueDocument,
} from '../features/venues/transfer/document.ts';
import { cityHouse, type VenueRow } from './city-houses.ts';
import { closedAtChristmas, EVERY_DAY, periods, photosOf } from './hours.ts';
import { freeUntilTwoHoursBefore, keptWithinTwoDays, roomFreeUntilAWeekBefore } from './terms.ts';

export interface City {
  name: string;
  /** Its venues are numbered from it: the third of city 41 is 4103. */
  number: number;
  countryCode: string;
  timeZone: string;
  /** Numbers that the country keeps free for films and examples, without the last two digits. */
  phonePrefix: string;
  venues: VenueRow[];
}

/** Rules by `resourceId`, or by `resourceId|product` for one product. */
export type RulesByPlace = Record<string, AvailabilityRuleDocument[]>;

interface Kind {
  hours: string[];
  /** Absent: everything is given back until the start. */
  refundTerms?: RefundTerm[];
  products: { key: string; name: string; category: string; interval: number; hours: string[] }[];
}

const kinds = {
  restaurant: {
    hours: ['12:00-15:00', '17:30-23:00'],
    refundTerms: freeUntilTwoHoursBefore.refundTerms,
    products: [
      { key: 'lunch', name: 'Lunch', category: 'lunch', interval: 15, hours: ['12:00-15:00'] },
      { key: 'dinner', name: 'Dinner', category: 'dinner', interval: 15, hours: ['17:30-22:30'] },
    ],
  },
  allDay: {
    hours: ['11:00-23:00'],
    refundTerms: freeUntilTwoHoursBefore.refundTerms,
    products: [{ key: 'table', name: 'A table', category: 'dinner', interval: 15, hours: ['11:30-22:00'] }],
  },
  cafe: {
    hours: ['08:00-17:00'],
    products: [{ key: 'brunch', name: 'Brunch', category: 'brunch', interval: 30, hours: ['09:00-15:30'] }],
  },
  teaRoom: {
    hours: ['11:00-18:00'],
    products: [
      { key: 'tea', name: 'Afternoon tea', category: 'afternoon-tea', interval: 30, hours: ['12:30-17:30'] },
    ],
  },
  bar: {
    hours: ['17:00-01:00'],
    products: [{ key: 'drinks', name: 'Drinks', category: 'drinks', interval: 30, hours: ['17:00-00:30'] }],
  },
  tasting: {
    hours: ['18:00-23:30'],
    refundTerms: keptWithinTwoDays.refundTerms,
    products: [
      { key: 'tasting', name: 'Tasting menu', category: 'dinner', interval: 30, hours: ['18:30-23:00'] },
    ],
  },
} satisfies Record<string, Kind>;

export function venuesOf(city: City, today: Temporal.PlainDate, rules: RulesByPlace): VenueDocument[] {
  return city.venues.map((row, index) => {
    const venueRules = rules[row.resourceId];
    return {
      tms: 'house',
      resourceId: row.resourceId,
      name: row.name,
      timeZone: city.timeZone,
      content: { summary: row.summary, description: row.description, highlights: row.highlights },
      phoneNumber: `${city.phonePrefix}${String(index + 21)}`,
      website: `https://${row.resourceId}.example`,
      location: {
        lat: row.lat,
        lng: row.lng,
        address: row.address,
        area: row.area,
        city: city.name,
        postcode: row.postcode,
        countryCode: city.countryCode,
      },
      types: row.types,
      photos: photosOf(row.resourceId, ...row.photos),
      hours: hoursOf(row, kinds[row.kind].hours, today),
      ...(row.room ? { spaces: [row.room] } : {}),
      ...(row.tastingMenu ? { packages: [packageOf(row.tastingMenu)] } : {}),
      products: productsOf(row, today, rules),
      ...(venueRules ? { availabilityRules: venueRules } : {}),
      house: cityHouse(city.number * 100 + index + 1, row, productKeysOf(row)),
    };
  });
}

function productKeysOf(row: VenueRow): string[] {
  return kinds[row.kind].products.map(({ key }) => key);
}

function hoursOf(row: VenueRow, texts: string[], today: Temporal.PlainDate): Hours {
  const closedOn = row.closedOn ?? [];
  const weekdays = EVERY_DAY.filter((weekday) => !closedOn.includes(weekday));
  return { weekly: [{ weekdays, periods: periods(...texts) }], exceptions: closedAtChristmas(today) };
}

function packageOf(menu: NonNullable<VenueRow['tastingMenu']>) {
  return { ...menu, slug: 'tasting-menu', name: 'The tasting menu', pricePer: 'guest' as const };
}

function productsOf(row: VenueRow, today: Temporal.PlainDate, rules: RulesByPlace): ProductDocument[] {
  const kind: Kind = kinds[row.kind];
  const products = kind.products.map(
    (product): ProductDocument => ({
      key: product.key,
      name: product.name,
      slug: product.key,
      category: product.category,
      timeIntervalMinutes: product.interval,
      ...(kind.refundTerms && { refundTerms: kind.refundTerms }),
      hours: hoursOf(row, product.hours, today),
      ...(row.tastingMenu ? tastingTerms(row.tastingMenu.id) : {}),
    }),
  );
  if (row.room) products.push(privateHire(row, row.room, today));
  return products.map((product) => {
    const productRules = rules[`${row.resourceId}|${product.key}`];
    return productRules ? { ...product, availabilityRules: productRules } : product;
  });
}

/** A tasting menu is cooked for the guests who booked it, so it is chosen ahead and secured by a deposit. */
function tastingTerms(packageId: number): Partial<ProductDocument> {
  return {
    preOrderRequiredType: 'package',
    paymentRules: [
      { amount: 2000, currency: 'GBP', per: 'guest', minPartySize: null, maxPartySize: null, weekdays: null },
    ],
    packageIds: [packageId],
  };
}

function privateHire(row: VenueRow, room: SpaceDocument, today: Temporal.PlainDate): ProductDocument {
  return {
    key: 'private-hire',
    name: `${room.name}, private hire`,
    slug: 'private-hire',
    category: 'private-hire',
    timeIntervalMinutes: 30,
    refundTerms: roomFreeUntilAWeekBefore.refundTerms,
    hours: hoursOf(row, kinds[row.kind].hours, today),
    spaceIds: [room.id],
  };
}
