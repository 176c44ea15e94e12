/** A supplier is a venue, or one for each time zone of its products; each option of a product is a product of ours. */
import { CURRENCY } from '../../kernel/money.ts';
import { type Outcome, ok, refused } from '../contract.ts';
import type { CataloguePage, Settings, SystemProduct, SystemVenue } from '../remote.ts';
import { penceOf } from './attempts.ts';
import { type Client, then } from './client.ts';
import { keyOf, type PartyUnits, standsAlone, unitsOf } from './offer.ts';
import { type Option, type Product, Products, Supplier, type Unit } from './schema.ts';

const RESOURCE = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$/;
/** Sold as the guests of the first product of an option. */
const PARTY_TYPES = ['ADULT', 'CHILD'];

/** OCTO lists all products at once, so there is one page. */
export async function readCatalogue(
  client: Client,
  systemSettings: Settings,
  cursor: string | null,
): Promise<Outcome<CataloguePage>> {
  if (cursor !== null) return refused('rejected', 'The catalogue has one page.');
  const [supplier, products] = await Promise.all([
    client.read('/supplier', Supplier),
    client.read('/products', Products),
  ]);
  return then(supplier, (from) =>
    then(products, (list) => {
      const settings = { ...systemSettings, ...client.account.settings };
      const venues = venuesOf(from, list, settings);
      return ok({ venues, next: null, total: venues.length });
    }),
  );
}

function venuesOf(supplier: Supplier, products: readonly Product[], settings: Settings): SystemVenue[] {
  const sold = products.filter(({ instantConfirmation }) => instantConfirmation);
  const byZone = Map.groupBy(sold, ({ timeZone }) => timeZone || String(settings.timeZone ?? ''));
  const mainZone = settings.timeZone ?? mostCommon(byZone);
  return [...byZone].flatMap(([zone, inZone]): SystemVenue[] => {
    const isMain = zone === mainZone;
    const resourceId = isMain ? supplier.id : `${supplier.id}~${zone.replaceAll('/', '-')}`;
    if (!RESOURCE.test(resourceId) || !isZone(zone)) return [];
    const currencies = new Set(inZone.map(({ defaultCurrency }) => defaultCurrency));
    const [currency] = currencies.size === 1 ? currencies : [];
    const { website, telephone, address } = supplier.contact;
    return [
      {
        resourceId,
        name: isMain ? supplier.name : `${supplier.name} (${zone})`,
        timeZone: zone,
        ...(currency && { currency }),
        ...(supplier.shortDescription && { summary: supplier.shortDescription }),
        ...(address && { address: { street: address } }),
        ...(telephone && { phone: telephone }),
        ...(website && { website }),
        products: inZone.flatMap((product) => productsOf(product, settings)),
      },
    ];
  });
}

const mostCommon = (byZone: ReadonlyMap<string, readonly Product[]>) =>
  [...byZone].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];

function isZone(zone: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(zone);
    return zone !== '';
  } catch {
    return false;
  }
}

/** Each option for adults and children, and once more for each other type of unit that stands alone. */
function productsOf(product: Product, settings: Settings): SystemProduct[] {
  return product.options.flatMap((option) => {
    const hasOptions = product.options.length > 1;
    const name = [product, ...(hasOptions ? [option] : [])].map(nameOf).join(' – ');
    const party = unitsOf(option, undefined, settings);
    const inParty = party ? [party.adult.id, party.child.id] : [];
    const others = option.units.filter(
      (unit) => standsAlone(unit) && !PARTY_TYPES.includes(unit.type) && !inParty.includes(unit.id),
    );
    const types = [...new Set(others.map(({ type }) => type))];
    return [
      ...(party ? [soldAs(product, option, { name, party })] : []),
      ...types.flatMap((unitType) => {
        const units = unitsOf(option, unitType, settings);
        if (!units) return [];
        return soldAs(product, option, { name: `${name} – ${nameOf(units.adult)}`, party: units, unitType });
      }),
    ].filter((each) => each !== undefined);
  });
}

function soldAs(
  product: Product,
  option: Option,
  { name, party, unitType }: { name: string; party: PartyUnits; unitType?: string },
): SystemProduct | undefined {
  const key = keyOf({
    productId: product.id,
    optionId: option.id,
    ...(unitType !== undefined && { unitType }),
  });
  if (key === undefined) return undefined;
  const { minUnits, maxUnits } = option.restrictions;
  const description = product.description || product.shortDescription;
  const pricePence = priceOf(party.adult);
  return {
    key,
    name,
    ...(description && { description }),
    ...(minUnits !== null && minUnits > 0 && { minGuests: minUnits }),
    ...(maxUnits !== null && { maxGuests: maxUnits }),
    ...(pricePence !== undefined && { pricePence }),
  };
}

const nameOf = ({ title, internalName }: { title?: string | null; internalName: string }) =>
  title || internalName;

/** The lowest at which the unit is sold; OCTO has one for each currency, and only ours is a price here. */
function priceOf({ pricingFrom = [] }: Unit): number | undefined {
  const pricing = pricingFrom.find(({ currency }) => currency === CURRENCY);
  return pricing && penceOf(pricing);
}
