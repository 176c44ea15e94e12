import { html } from 'htm/preact';
import { longDate, money } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { venueId } from '../../app/places.ts';
import type { Context } from './context.ts';
import type { Draft, Product } from './draft.ts';
import { periodsText } from './hours.ts';
import { PartnerData } from './partner-data.ts';
import {
  confirmationText,
  depositText,
  guestsText,
  hoursLines,
  lengthText,
  preorderText,
  refundText,
  stayLines,
} from './summaries.ts';

export interface PartnerViewProps {
  draft: Draft;
  /** As it is stored; undefined: it is new. */
  stored: Product | undefined;
  context: Context;
}

const SHOWN_EXCEPTIONS = 5;

function factsOf({ draft, stored, context }: PartnerViewProps): [label: string, value: string][] {
  const { house, tickets, paymentRules, hours } = draft;
  const exceptions = (hours.exceptions ?? [])
    .slice(0, SHOWN_EXCEPTIONS)
    .map(({ date, periods }) => `${longDate(date)}: ${periodsText(periods) || t.products.closed}`);
  const facts: [string, string | null | undefined][] = [
    [t.products.days, hoursLines(draft).join('\n')],
    [t.products.exceptions, exceptions.join('\n')],
    [t.products.interval, tickets ? '' : t.products.everyMinutes(draft.timeIntervalMinutes)],
    [t.products.guests, house && guestsText(house, stored?.effective ?? null)],
    [t.products.stay, house && stayLines(house).join('\n')],
    [t.products.confirmation, house && confirmationText(house)],
    [t.products.notice, house && house.noticeMinutes > 0 ? lengthText(house.noticeMinutes) : ''],
    [
      t.products.spaces,
      context.spaces
        .filter(({ id }) => draft.spaceIds.includes(id))
        .map(({ name }) => name)
        .join(', '),
    ],
    [
      t.products.ticketPrice,
      tickets &&
        t.products.ticketFacts(money(tickets.pricePence ?? 0), tickets.minPerBooking, tickets.maxPerBooking),
    ],
    [
      t.products.deposit,
      paymentRules.length > 0 ? paymentRules.map(depositText).join('\n') : t.products.noDeposits,
    ],
    [t.products.refunds, paymentRules.length > 0 || tickets ? refundText(draft.refundTerms) : ''],
    [
      t.products.preorder,
      draft.packageIds.length + draft.menuIds.length > 0 ? preorderText(draft, context) : '',
    ],
    [t.products.policy, (house ?? tickets)?.policy],
    [t.products.cancellationPolicy, (house ?? tickets)?.cancellationPolicy],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

/** What guests read on the sites of partners, as it would be with what the form says now. */
export function PartnerView(props: PartnerViewProps) {
  const { draft, stored, context } = props;
  const category = context.categories.find(({ slug }) => slug === draft.category);
  return html`
    <aside class="panel partner-view" aria-label=${t.products.partnerView}>
      <p class="quiet small">${t.products.partnerView}</p>
      <div>
        <h2>${draft.name || t.common.noName}</h2>
        ${category && html`<p><span class="tag">${category.name}</span></p>`}
      </div>
      <dl class="shop-facts stacked">
        ${factsOf(props).map(([label, value]) => html`<div key=${label}><dt>${label}</dt><dd>${value}</dd></div>`)}
      </dl>
      <p class="quiet small">${t.products.partnerViewNote}</p>
      ${stored && html`<${PartnerData} venueId=${venueId.value} compositeId=${stored.compositeId} />`}
    </aside>
  `;
}
