/** What a system says of a venue, as far as it can be used: in our words, or a sentence about what is wrong. */
import { type Static, type TSchema, Type } from 'typebox';
import { checkerOf } from '../../http/validation/validation.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { invalid, Problem } from '../../kernel/problem.ts';
import type { CataloguePage } from '../../tms/remote.ts';
import { MOST_SPACES } from '../layout/service.ts';
import {
  assertHours,
  type ExceptionRow,
  type Hours,
  hoursDocument,
  MOST_PARTS,
  NewProductBody,
  NewVenueBody,
  segment,
  venueFaults,
} from '../venues/service.ts';

const venue = NewVenueBody.properties;
const content = venue.content.properties;
const place = venue.location.properties;
const product = NewProductBody.properties;

const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

const minute = (maximum: number) => Type.Integer({ minimum: 0, maximum });
const Period = Type.Object({ opens: minute(1439), closes: minute(2880) });
const SentHours = Type.Object({
  weekly: Type.Array(
    Type.Object({ weekday: Type.Integer({ minimum: 1, maximum: 7 }), ...Period.properties }),
    { maxItems: 70 },
  ),
  exceptions: maybe(
    Type.Array(
      Type.Object({
        date: Type.String({ format: 'date' }),
        periods: Type.Array(Period, { maxItems: 10 }),
      }),
      { maxItems: 1000 },
    ),
  ),
});
type SentHours = Static<typeof SentHours>;

const SentVenue = Type.Object({
  resourceId: venue.resourceId,
  name: venue.name,
  timeZone: venue.timeZone,
  currency: maybe(Type.String({ maxLength: 10 })),
  summary: content.summary,
  description: content.description,
  address: maybe(
    Type.Object({
      street: place.address,
      area: maybe(place.area),
      city: maybe(place.city),
      postcode: place.postcode,
      countryCode: maybe(place.countryCode),
    }),
  ),
  position: maybe(Type.Object({ lat: place.lat, lng: place.lng })),
  phone: venue.phoneNumber,
  website: venue.website,
  hours: maybe(SentHours),
  spaces: maybe(
    Type.Array(
      Type.Object({
        id: Type.String({ minLength: 1, maxLength: 200 }),
        name: venue.name,
        description: maybe(Type.String({ maxLength: 5000 })),
      }),
      { maxItems: MOST_SPACES },
    ),
  ),
  products: Type.Array(Type.Unknown(), { maxItems: MOST_PARTS.product }),
});

const guests = Type.Integer({ minimum: 1, maximum: 32_767 });
const SentProduct = Type.Object({
  key: segment('Fourth segment of its composite id'),
  name: product.name,
  timeIntervalMinutes: maybe(product.timeIntervalMinutes),
  hours: maybe(SentHours),
  minGuests: maybe(guests),
  maxGuests: maybe(guests),
  pricePence: maybe(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
});

const checkVenueShape = checkerOf(SentVenue);
const checkProductShape = checkerOf(SentProduct);

/** Undefined: the system does not say. */
export interface CheckedProduct {
  key: string;
  name: string;
  timeIntervalMinutes: number | undefined;
  hours: CheckedHours | undefined;
  minGuests: number | undefined;
  maxGuests: number | undefined;
  /** Null: guests pay for what they have. */
  pricePence: number | null;
}

export interface CheckedHours {
  weekly: Hours['weekly'];
  exceptions: NonNullable<Hours['exceptions']> | undefined;
}

export interface CheckedVenue {
  resourceId: string;
  name: string;
  timeZone: string;
  phoneNumber: string | undefined;
  website: string | undefined;
  content: { summary: string | undefined; description: string | undefined };
  location: Partial<Record<'address' | 'area' | 'city' | 'postcode' | 'countryCode', string>> &
    Partial<Record<'lat' | 'lng', number>>;
  hours: CheckedHours | undefined;
  spaces: { systemId: string; name: string; description: string | null }[] | undefined;
  products: CheckedProduct[];
  /** Products that cannot be used. */
  faults: ProductFault[];
}

export interface ProductFault {
  /** Null: it has none that can be used. */
  key: string | null;
  name: string | null;
  sentence: string;
}

export interface VenueFault {
  resourceId: string | null;
  name: string | null;
  sentence: string;
}

export type Checked = { venue: CheckedVenue } | { fault: VenueFault };

export function checkVenue(sent: unknown): Checked {
  try {
    return { venue: read(checkVenueShape(sent)) };
  } catch (error) {
    const resourceId = textIn(sent, 'resourceId');
    return {
      fault: {
        resourceId: resourceId !== null && SEGMENT.test(resourceId) ? resourceId : null,
        name: textIn(sent, 'name'),
        sentence: sentenceOf(error),
      },
    };
  }
}

function read(sent: Static<typeof SentVenue>): CheckedVenue {
  const { name, timeZone, website, phone, summary, description, address, position, hours, spaces } = sent;
  const [fault] = venueFaults({ timeZone, website: website ?? null });
  if (fault) throw invalid(fault.field, fault.message);
  const { products, faults } = readProducts(sent.products);
  if (products.some(({ pricePence }) => pricePence !== null)) assertCurrency(sent.currency ?? CURRENCY);
  const { street, ...parts } = address ?? {};
  return {
    resourceId: sent.resourceId,
    name,
    timeZone,
    phoneNumber: phone ?? undefined,
    website: website ?? undefined,
    content: { summary: summary ?? undefined, description: description ?? undefined },
    location: said({ address: street, ...parts, ...position }) as CheckedVenue['location'],
    hours: hours ? readHours(hours, 'hours') : undefined,
    spaces: spaces ? readSpaces(spaces) : undefined,
    products,
    faults,
  };
}

function readSpaces(sent: readonly { id: string; name: string; description?: string | null }[]) {
  const spaces = sent.map(({ id, name, description }) => ({
    systemId: id,
    name,
    description: description ?? null,
  }));
  if (new Set(spaces.map(({ systemId }) => systemId)).size < spaces.length)
    throw invalid('spaces', 'must not have an id twice');
  return spaces;
}

/** One that cannot be used leaves the others alone. */
function readProducts(sent: readonly unknown[]): Pick<CheckedVenue, 'products' | 'faults'> {
  const products = new Map<string, CheckedProduct>();
  const faults: ProductFault[] = [];
  for (const each of sent) {
    try {
      const checked = readProduct(checkProductShape(each));
      if (products.has(checked.key)) throw invalid('key', `is ${checked.key}, like that of one before it`);
      products.set(checked.key, checked);
    } catch (error) {
      const key = textIn(each, 'key');
      faults.push({
        key: key !== null && SEGMENT.test(key) ? key : null,
        name: textIn(each, 'name'),
        sentence: sentenceOf(error),
      });
    }
  }
  return { products: [...products.values()], faults };
}

function readProduct(sent: Static<typeof SentProduct>): CheckedProduct {
  const { key, name, timeIntervalMinutes, hours, minGuests, maxGuests, pricePence } = sent;
  if (minGuests && maxGuests && minGuests > maxGuests)
    throw invalid('maxGuests', 'must not be below minGuests');
  return {
    key,
    name,
    timeIntervalMinutes: timeIntervalMinutes ?? undefined,
    hours: hours ? readHours(hours, 'hours') : undefined,
    minGuests: minGuests ?? undefined,
    maxGuests: maxGuests ?? undefined,
    pricePence: pricePence ?? null,
  };
}

const DAY = 1440;

/** As operators write them. */
function readHours({ weekly, exceptions }: SentHours, field: string): CheckedHours {
  const periods = [...weekly, ...(exceptions ?? []).flatMap((each) => each.periods)];
  if (periods.some(({ opens, closes }) => closes <= opens || closes > opens + DAY))
    throw invalid(field, 'must have periods that end after they begin, within a day');
  const hours = weekly.toSorted((a, b) => a.weekday - b.weekday || a.opens - b.opens);
  const dated = (exceptions ?? [])
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
    .flatMap(({ date, periods: ofDate }): ExceptionRow[] =>
      ofDate.length === 0
        ? [{ date, opens: null, closes: null, reason: null }]
        : ofDate.toSorted((a, b) => a.opens - b.opens).map((each) => ({ date, ...each, reason: null })),
    );
  const document = hoursDocument({ hours, exceptions: dated });
  assertHours(document, field);
  return { weekly: document.weekly, exceptions: exceptions ? document.exceptions : undefined };
}

function assertCurrency(currency: string): void {
  if (currency.toUpperCase() !== CURRENCY)
    throw invalid('currency', `must be ${CURRENCY} where products have a price`);
}

const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$/;
const LONGEST_NAME = 200;
const LONGEST_SENTENCE = 500;

function textIn(sent: unknown, member: string): string | null {
  const value = typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>)[member] : null;
  // Text with a zero in it cannot be stored.
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
    ? value.slice(0, LONGEST_NAME)
    : null;
}

/** Only what we have refused ourselves is told. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Problem)) throw error;
  return error.message.slice(0, LONGEST_SENTENCE);
}

const said = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

const MOST_ON_PAGE = 1000;

const LONGEST_CURSOR = 4000;

/** What is wrong with a page as a whole; its venues are looked at one by one. */
export function pageFault(page: CataloguePage): string | undefined {
  const { venues, next } = (page ?? {}) as { venues?: unknown; next?: unknown };
  if (!Array.isArray(venues)) return 'it has no list of venues';
  if (venues.length > MOST_ON_PAGE) return `it has more than ${MOST_ON_PAGE} venues`;
  if (next === null) return undefined;
  if (typeof next !== 'string' || next === '' || next.length > LONGEST_CURSOR || next.includes('\0'))
    return `its cursor is no text of at most ${LONGEST_CURSOR} characters`;
  return undefined;
}
