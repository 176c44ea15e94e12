/** What is set, in a line: for folded sections, lists and what partners see. */
import { UNITS, unitOf } from '../../app/amounts.ts';
import { money, weekdays } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import type { Context } from './context.ts';
import type { Deposit, Draft, House, Product, RefundTerm, Tickets } from './draft.ts';
import { daysText, periodsText } from './hours.ts';

export const dayNames = (days: readonly number[]) => daysText(days, weekdays());

export const hoursLines = ({ hours }: Pick<Draft, 'hours'>): string[] =>
  hours.weekly
    .filter(({ weekdays: days, periods }) => days.length > 0 && periods.length > 0)
    .map(({ weekdays: days, periods }) => `${dayNames(days)}: ${periodsText(periods)}`);

export const lengthText = (minutes: number) => {
  const unit = unitOf(minutes);
  return t.products.length[unit](minutes / UNITS[unit]);
};

/** Stated, or what follows from the layout. */
export function guestsText(house: House, effective: Product['effective']): string {
  const least = house.minGuests ?? effective?.minGuests ?? null;
  const most = house.maxGuests ?? effective?.maxGuests ?? null;
  return most === null ? t.products.guestsAsFit : t.products.guestsFromTo(least ?? 1, most);
}

/** The last line also holds for larger parties. */
export const stayLines = ({ turnTimes }: House): string[] =>
  turnTimes.map(({ upTo, minutes }, index) => {
    const before = turnTimes[index - 1];
    const isLast = index === turnTimes.length - 1;
    return isLast && before
      ? t.products.stayOfMore(before.upTo + 1, lengthText(minutes))
      : isLast
        ? lengthText(minutes)
        : t.products.stayOf(upTo, lengthText(minutes));
  });

export function confirmationText(house: House): string {
  if (house.isRequestOnly) return t.products.allOnRequest;
  return house.instantLimit === null ? t.products.allAtOnce : t.products.atOnceUpTo(house.instantLimit);
}

export function bookingText(house: House): string {
  const notice = house.noticeMinutes > 0 ? [t.products.noticeOf(lengthText(house.noticeMinutes))] : [];
  const horizon = house.horizonDays === null ? [] : [t.products.horizonOf(house.horizonDays)];
  return [confirmationText(house), ...notice, ...horizon].join(' · ');
}

export function depositText({ amount, per, minPartySize, maxPartySize, weekdays: days }: Deposit): string {
  const sizes =
    minPartySize === null && maxPartySize === null
      ? []
      : [t.products.partiesOf(minPartySize ?? 1, maxPartySize)];
  return [t.products.depositPer[per](money(amount ?? 0)), ...sizes, ...(days ? [dayNames(days)] : [])].join(
    ', ',
  );
}

export const refundText = (terms: readonly RefundTerm[]) =>
  terms.length === 0
    ? t.products.refundAlways
    : terms.map(({ percent, hoursBefore }) => t.products.refundOf(percent, hoursBefore)).join('; ');

export const ticketsText = ({ pricePence, capacity }: Tickets) =>
  t.products.ticketsOf(money(pricePence ?? 0), capacity);

export function preorderText(draft: Draft, { packages, menus }: Pick<Context, 'packages' | 'menus'>): string {
  const names = [
    ...packages.filter(({ id }) => draft.packageIds.includes(id)),
    ...menus.filter(({ id }) => draft.menuIds.includes(id)),
  ].map(({ name }) => name);
  const { preOrderRequiredType: required } = draft;
  if (names.length === 0) return t.products.preorders[required];
  return required === 'none'
    ? t.products.canBeOrdered(names.join(', '))
    : `${t.products.preorders[required]}: ${names.join(', ')}`;
}
