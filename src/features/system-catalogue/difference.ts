/** What a system's catalogue would change here, in words that people can review. */
import type { HoursDocument, VenueBody } from '../venues/service.ts';
import type { CheckedProduct, CheckedVenue } from './check.ts';
import {
  type Facts,
  isPlaceKnown,
  mergedFacts,
  mergedHours,
  mergedProduct,
  mergedVenue,
  NO_FACTS,
  NO_HOURS,
  type OurProduct,
  type OurSpace,
  type OurVenue,
  type ProductToSave,
  wholeHours,
} from './merge.ts';
import type { Difference, FieldChange } from './schema.ts';

/** Without its place in the list, and whether it is applied. */
export type Found = Omit<Difference, 'position' | 'isApplied'>;

export interface VenuePlan {
  /** Null: the venue itself stays as it is. */
  found: Found | null;
  body: VenueBody;
  hours: HoursDocument;
  areHoursChanged: boolean;
  spaces: SpacePlan[];
  products: ProductPlan[];
  failed: Found[];
}

export interface SpacePlan {
  /** Null: it is new. */
  id: number | null;
  systemId: string;
  name: string;
  description: string | null;
}

export interface ProductPlan {
  key: string;
  /** Null: it stays as it is. */
  found: Found | null;
  /** Null: only to be withdrawn. */
  saved: { body: ProductToSave; facts: Facts; isNew: boolean } | null;
}

export function planVenue(ours: OurVenue | undefined, theirs: CheckedVenue): VenuePlan {
  const { resourceId, name } = theirs;
  const body = mergedVenue(ours?.venue, theirs);
  const hours = mergedHours(ours?.hours ?? NO_HOURS, theirs.hours);
  const spaces = spacePlans(ours?.spaces ?? [], theirs);
  const before = ours && venueTexts({ body: ours.venue, hours: ours.hours, spaces: ours.spaces });
  const after = venueTexts({ body, hours, spaces: spacesAfter(ours?.spaces ?? [], spaces) });
  const changes = changesBetween(before, after);
  const kind = ours ? 'changed' : 'added';
  const note = ours || isPlaceKnown(theirs) ? null : NO_PLACE;
  const about = { kind, subject: 'venue', resourceId, productKey: null, name } as const;
  return {
    found: !ours || changes.length > 0 ? { ...about, changes, note } : null,
    body,
    hours,
    areHoursChanged: hoursText(ours?.hours ?? NO_HOURS) !== hoursText(hours),
    spaces,
    products: productPlans(resourceId, ours?.products ?? [], theirs),
    failed: theirs.faults.map(({ key, name: named, sentence }) => ({
      kind: 'failed',
      subject: 'product',
      resourceId,
      productKey: key,
      name: named,
      changes: [],
      note: sentence,
    })),
  };
}

const NO_PLACE = 'The system does not say where it is. Set its place before partners sell it.';
const GONE = 'The system no longer has this venue. The venue stays here; its products are withdrawn.';

/** Of a venue that the system no longer has; undefined: nothing of it is on sale. */
export function planGone(ours: OurVenue): { found: Found; products: ProductPlan[] } | undefined {
  const { resourceId, name } = ours.venue;
  const onSale = ours.products.filter(({ product }) => !product.isWithdrawn);
  if (onSale.length === 0) return undefined;
  const about = { kind: 'withdrawn', subject: 'venue', resourceId, productKey: null, name } as const;
  return {
    found: { ...about, changes: [], note: GONE },
    products: onSale.map((product) => withdrawal(resourceId, product)),
  };
}

function productPlans(
  resourceId: string,
  ours: readonly OurProduct[],
  { products, faults }: CheckedVenue,
): ProductPlan[] {
  const known = new Map(ours.map((each) => [each.product.key, each]));
  // One that cannot be read is there all the same.
  const named = new Set([...products, ...faults].map(({ key }) => key));
  const gone = ours.filter(({ product }) => !named.has(product.key) && !product.isWithdrawn);
  return [
    ...products.map((theirs) => productPlan(resourceId, known.get(theirs.key), theirs)),
    ...gone.map((product) => withdrawal(resourceId, product)),
  ];
}

function productPlan(resourceId: string, ours: OurProduct | undefined, theirs: CheckedProduct): ProductPlan {
  const body = mergedProduct(ours?.product, theirs);
  const facts = mergedFacts(ours?.facts ?? NO_FACTS, theirs);
  const before = ours && {
    ...productTexts({ ...ours.product, hours: wholeHours(ours.product.hours) }, ours.facts),
    isOnSale: yesOrNo(!ours.product.isWithdrawn),
  };
  const after = { ...productTexts(body, facts), ...(ours && { isOnSale: yesOrNo(true) }) };
  const changes = changesBetween(before, after);
  const kind = ours ? 'changed' : 'added';
  const about = { subject: 'product', resourceId, productKey: theirs.key, name: theirs.name } as const;
  return {
    key: theirs.key,
    found: !ours || changes.length > 0 ? { kind, ...about, changes, note: null } : null,
    saved: { body, facts, isNew: !ours },
  };
}

function withdrawal(resourceId: string, { product }: OurProduct): ProductPlan {
  const { key, name } = product;
  const changes = [{ field: 'isOnSale', before: yesOrNo(true), after: yesOrNo(false) }];
  const about = { subject: 'product', resourceId, productKey: key, name } as const;
  return { key, found: { kind: 'withdrawn', ...about, changes, note: null }, saved: null };
}

/** Those that are new or called otherwise; the system's other spaces, and ours that it does not know, stay. */
function spacePlans(ours: readonly OurSpace[], { spaces = [] }: CheckedVenue): SpacePlan[] {
  return spaces.flatMap((theirs): SpacePlan[] => {
    const known = ours.find(({ systemId }) => systemId === theirs.systemId);
    if (!known) return [{ ...theirs, id: null }];
    const description = theirs.description ?? known.description;
    const isSame = known.name === theirs.name && known.description === description;
    return isSame ? [] : [{ ...theirs, description, id: known.id }];
  });
}

function spacesAfter(ours: readonly OurSpace[], plans: readonly SpacePlan[]): NamedSpace[] {
  const renamed = new Map(plans.map((plan) => [plan.id, plan]));
  return [...ours.map((space) => renamed.get(space.id) ?? space), ...plans.filter(({ id }) => id === null)];
}

interface NamedSpace {
  name: string;
  description: string | null;
}

type Texts = Record<string, string | null>;

interface VenueState {
  body: VenueBody;
  hours: HoursDocument;
  spaces: readonly NamedSpace[];
}

function venueTexts({ body, hours, spaces }: VenueState): Texts {
  const { lat, lng, ...place } = body.location;
  return {
    name: body.name,
    timeZone: body.timeZone,
    phoneNumber: body.phoneNumber ?? null,
    website: body.website ?? null,
    summary: body.content.summary ?? null,
    description: body.content.description ?? null,
    address: place.address ?? null,
    area: place.area,
    city: place.city,
    postcode: place.postcode ?? null,
    countryCode: place.countryCode,
    position: `${lat}, ${lng}`,
    hours: hoursText(hours),
    spaces: spaces.map(spaceText).join('; ') || null,
  };
}

const spaceText = ({ name, description }: NamedSpace) => (description ? `${name} (${description})` : name);

const productTexts = (
  product: Pick<ProductToSave, 'name' | 'timeIntervalMinutes'> & { hours: ProductToSave['hours'] },
  { pricePence, minGuests, maxGuests }: Facts,
): Texts => ({
  name: product.name,
  timeIntervalMinutes: String(product.timeIntervalMinutes),
  hours: hoursText(wholeHours({ exceptions: [], ...product.hours } as HoursDocument)),
  minGuests: minGuests === null ? null : String(minGuests),
  maxGuests: maxGuests === null ? null : String(maxGuests),
  price: pricePence === null ? null : (pricePence / 100).toFixed(2),
});

const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** One text for the same hours, however they are grouped; null: none are known. */
function hoursText({ weekly, exceptions }: HoursDocument): string | null {
  const periods = (list: HoursDocument['weekly'][number]['periods']) =>
    list.length === 0 ? 'closed' : list.map(({ opens, closes }) => `${opens}–${closes}`).join(', ');
  const days = DAYS.flatMap((day, index) => {
    const ofDay = weekly.filter(({ weekdays }) => weekdays.some((weekday) => weekday === index + 1));
    const all = ofDay.flatMap((each) => each.periods).toSorted((a, b) => (a.opens < b.opens ? -1 : 1));
    return all.length === 0 ? [] : [`${day} ${periods(all)}`];
  });
  const dates = exceptions.map((each) => `${each.date} ${periods(each.periods)}`);
  return [...days, ...dates].join('; ') || null;
}

const LONGEST_SHOWN = 1000;
const shown = (text: string | null | undefined) =>
  text && text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : (text ?? null);

function changesBetween(before: Texts | undefined, after: Texts): FieldChange[] {
  return Object.entries(after)
    .filter(([field, text]) => text !== (before?.[field] ?? null))
    .map(([field, text]) => ({ field, before: shown(before?.[field]), after: shown(text) }));
}
