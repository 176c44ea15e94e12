/** What a party orders ahead: read against what the product offers, with the prices of that day. */
import { type FieldErrors, problem } from '../../kernel/problem.ts';
import type {
  MenuRecord,
  PackageRecord,
  PreOrderRequirement,
  ProductRecord,
  VenueRecord,
} from '../venues/service.ts';
import type { PreorderChoice } from './create/body.ts';
import type { OrderedItem, OrderedMenu, OrderedPackage, PreorderRecord } from './record.ts';

export interface PreorderContext {
  venue: Pick<VenueRecord, 'packages' | 'menus'>;
  product: Pick<ProductRecord, 'packageIds' | 'menuIds' | 'preOrderRequiredType'>;
  guests: number;
  /** With the booking, or later. */
  submitted: OrderedMenu['submitted'];
  /** What the booking has of this product so far: an entry that stays the same keeps its price and its moment. */
  before?: PreorderRecord;
}

type PackageChoice = NonNullable<PreorderChoice['packages']>[number];
type MenuChoice = NonNullable<PreorderChoice['menus']>[number];
type ItemChoice = MenuChoice['items'][number];

/** Throws `VALID-N-001` for what the product does not offer, and `BOOK-N-007` where it requires more. */
export function preorderOf(
  choice: PreorderChoice | null | undefined,
  context: PreorderContext,
): PreorderRecord {
  const { product, guests, submitted, before } = context;
  const offered = offeredBy(context);
  const errors: FieldErrors = {};
  const report = (field: string, message: string) => {
    errors[`preorders.${field}`] = [message];
  };
  const packages = (choice?.packages ?? []).flatMap(
    (each, index) =>
      keptPackage(each, before) ?? orderedPackage(each, offered.packages, `packages.${index}`, report) ?? [],
  );
  const menus = (choice?.menus ?? []).flatMap(
    (each, index) =>
      keptMenu(each, before) ?? orderedMenu(each, offered.menus, submitted, `menus.${index}`, report) ?? [],
  );
  reportRepeated(packages, 'packages', report);
  reportRepeated(menus, 'menus', report);
  if (Object.keys(errors).length > 0) {
    throw problem('VALID-N-001', { detail: 'The pre-order does not fit what the product offers.', errors });
  }
  // Nothing is ordered of a menu without items, so it must not pass for an order.
  const preorder = { packages, menus: menus.filter(({ items }) => items.length > 0) };
  assertEnough(preorder, product.preOrderRequiredType, guests, offered.packages);
  return preorder;
}

/** What can be ordered ahead with a product. */
export function offeredBy({ venue, product }: Pick<PreorderContext, 'venue' | 'product'>) {
  return {
    packages: venue.packages.filter(({ id }) => product.packageIds.includes(id)),
    menus: venue.menus.filter(({ id }) => product.menuIds.includes(id)),
  };
}

type Report = (field: string, message: string) => void;

type Named = Pick<PackageChoice, 'id' | 'slug'>;

/** Whether a choice names this one; a number and a slug together must both be right. */
function isNamed(choice: Named, { id, slug }: { id: number; slug: string | null }) {
  if (choice.id == null && choice.slug == null) return false;
  return (choice.id == null || choice.id === id) && (choice.slug == null || choice.slug === slug);
}

/** Whether a choice is what was ordered before, in the same order. */
export function isSameChoice(choice: PreorderChoice | null | undefined, before: PreorderRecord): boolean {
  const packages = choice?.packages ?? [];
  const menus = (choice?.menus ?? []).filter(({ items }) => items.length > 0);
  return (
    packages.length === before.packages.length &&
    menus.length === before.menus.length &&
    packages.every((each, index) => keptPackage(each, before) === before.packages[index]) &&
    menus.every((each, index) => keptMenu(each, before) === before.menus[index])
  );
}

function keptPackage(choice: PackageChoice, before: PreorderRecord | undefined): OrderedPackage | undefined {
  return before?.packages.find((each) => isNamed(choice, each) && each.quantity === choice.quantity);
}

function keptMenu(choice: MenuChoice, before: PreorderRecord | undefined): OrderedMenu | undefined {
  return before?.menus.find((each) => isNamed(choice, each) && hasSameItems(choice.items, each.items));
}

function hasSameItems(chosen: readonly ItemChoice[], ordered: readonly OrderedItem[]): boolean {
  const keyOf = (id: number, quantity: number, options: readonly { id: string; value: string }[]) =>
    JSON.stringify([id, quantity, options.map((option) => [option.id, option.value]).sort()]);
  const before = ordered.map(({ id, quantity, options }) => keyOf(id, quantity, options)).sort();
  const now = chosen.map(({ id, quantity, options }) => keyOf(id, quantity, options ?? [])).sort();
  return before.length === now.length && before.every((key, index) => key === now[index]);
}

function orderedPackage(
  choice: PackageChoice,
  offered: readonly PackageRecord[],
  at: string,
  report: Report,
): OrderedPackage | undefined {
  const found = findOffered(choice, offered, at, report);
  if (!found) return undefined;
  const { id, slug, name, pricePence, pricePer } = found;
  return { id, slug, name, quantity: choice.quantity, pricePence, pricePer };
}

/** Reports what the choice names and is not offered, by its place in the order. */
export function findOffered<Entry extends { id: number; slug: string | null }>(
  choice: Named,
  offered: readonly Entry[],
  at: string,
  report: Report,
): Entry | undefined {
  const found = offered.find((each) => isNamed(choice, each));
  if (found) return found;
  const isUnnamed = choice.id == null && choice.slug == null;
  report(
    `${at}.${choice.id == null && !isUnnamed ? 'slug' : 'id'}`,
    isUnnamed ? 'is required, or slug instead' : 'is not offered by this product',
  );
  return undefined;
}

function orderedMenu(
  choice: MenuChoice,
  offered: readonly MenuRecord[],
  submitted: OrderedMenu['submitted'],
  at: string,
  report: Report,
): OrderedMenu | undefined {
  const found = findOffered(choice, offered, at, report);
  if (!found) return undefined;
  const items = choice.items.flatMap(
    (item, index) => orderedItem(item, found, `${at}.items.${index}`, report) ?? [],
  );
  const { id, slug, name } = found;
  return { id, slug, name, submitted, items };
}

function orderedItem(
  choice: ItemChoice,
  menu: MenuRecord,
  at: string,
  report: Report,
): OrderedItem | undefined {
  const item = menu.items.find(({ id }) => id === choice.id);
  if (!item) {
    report(`${at}.id`, `is not on the menu ${menu.name}`);
    return undefined;
  }
  const chosen = choice.options ?? [];
  const options = chosen.flatMap(({ id, value }, index) => {
    const option = item.options.find((each) => each.id === id);
    const known = option?.values.find((each) => each.value === value);
    if (!option) report(`${at}.options.${index}.id`, `is not an option of ${item.name}`);
    else if (!known) report(`${at}.options.${index}.value`, `is not a value of ${option.name}`);
    return option && known ? [{ id, name: option.name, value, pricePence: known.pricePence }] : [];
  });
  const missing = item.options.filter(
    (option) => option.required && !chosen.some(({ id }) => id === option.id),
  );
  if (missing.length > 0)
    report(`${at}.options`, `must choose ${missing.map(({ name }) => name).join(' and ')}`);
  if (new Set(chosen.map(({ id }) => id)).size < chosen.length)
    report(`${at}.options`, 'must name each option once');
  const { id, name } = item;
  const pricePence = options.reduce((sum, option) => sum + option.pricePence, item.pricePence);
  return { id, name, quantity: choice.quantity, pricePence, options };
}

function reportRepeated(entries: readonly { id: number }[], field: string, report: Report): void {
  if (new Set(entries.map(({ id }) => id)).size < entries.length) report(field, 'must name each one once');
}

/**
 * A required package must cover every guest, a required menu must have an item for each. Extras priced for the whole
 * booking cover no guest, unless the product has nothing else.
 */
function assertEnough(
  { packages, menus }: PreorderRecord,
  required: PreOrderRequirement,
  guests: number,
  offered: readonly PackageRecord[],
): void {
  const isPerGuest = offered.some(({ pricePer }) => pricePer === 'guest');
  const covering = packages.filter(({ pricePer }) => !isPerGuest || pricePer === 'guest');
  const covered = isPerGuest ? countOf(covering) : covering.length > 0 ? guests : 0;
  const dishes = countOf(menus.flatMap(({ items }) => items));
  const missing: string[] = [];
  if ((required === 'package' || required === 'packageAndMenu') && covered < guests)
    missing.push(`packages for ${guests} (there are ${covered})`);
  if ((required === 'menu' || required === 'packageAndMenu') && dishes < guests)
    missing.push(`items of a menu for ${guests} (there are ${dishes})`);
  if (missing.length > 0) {
    throw problem('BOOK-N-007', { detail: `This product is booked with ${missing.join(' and ')}.` });
  }
}

const countOf = (entries: readonly { quantity: number }[]) =>
  entries.reduce((sum, { quantity }) => sum + quantity, 0);

/** What the pre-order costs. */
export function priceOf({ packages, menus }: PreorderRecord): number {
  const priced = [...packages, ...menus.flatMap(({ items }) => items)];
  return priced.reduce((sum, { pricePence, quantity }) => sum + pricePence * quantity, 0);
}

/** The choice that would make this pre-order again: the form in which a partner amends it. */
export function choiceOf({ packages, menus }: PreorderRecord) {
  return {
    packages: packages.map(({ id, quantity }) => ({ id, quantity })),
    menus: menus.map(({ id, items }) => ({
      id,
      items: items.map((item) => ({
        id: item.id,
        quantity: item.quantity,
        options: item.options.map(({ id: optionId, value }) => ({ id: optionId, value })),
      })),
    })),
  };
}
