/** The parts of the form, in the order in which a product is thought of. */
import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { t } from '../../../app/language.ts';
import {
  bookingText,
  depositText,
  guestsText,
  hoursLines,
  preorderText,
  refundText,
  stayLines,
  ticketsText,
} from '../summaries.ts';
import { BasicsFields, type BasicsFieldsProps } from './basics.ts';
import { BookingFields } from './booking.ts';
import { HoursFields } from './hours-fields.ts';
import { PaymentFields } from './payment.ts';
import { PreorderFields } from './preorder.ts';
import { SeatingFields } from './seating.ts';
import { TermsFields } from './terms.ts';
import { TicketFields } from './tickets.ts';

export interface SectionEntry {
  title: string;
  summary: string;
  /** Members of the product that are edited here. */
  members: readonly string[];
  /** Open from the start: a usual product needs no other. */
  isFirst: boolean;
  fields: ComponentChildren;
}

const TERMS = ['policy', 'cancellationPolicy'];
const SEATING = ['zoneIds', 'minGuests', 'maxGuests', 'turnTimes', 'duration', 'coversPerStart'];
const BOOKING = ['instantLimit', 'isRequestOnly', 'takesEnquiries', 'noticeMinutes', 'horizonDays'];
const of = (part: string, names: readonly string[]) => names.map((name) => `${part}.${name}`);

export function sectionsOf(props: BasicsFieldsProps): SectionEntry[] {
  const { draft, context } = props;
  const { house, tickets } = draft;
  const part = house ? 'house' : 'tickets';
  const terms = house ?? tickets;
  const entries: (SectionEntry | false | null)[] = [
    {
      title: t.products.basics,
      summary: draft.name,
      members: ['name', 'key', 'slug', 'category'],
      isFirst: true,
      fields: html`<${BasicsFields} ...${props} />`,
    },
    tickets && {
      title: t.products.tickets,
      summary: ticketsText(tickets),
      members: ['tickets'],
      isFirst: true,
      fields: html`<${TicketFields} ...${props} />`,
    },
    !tickets && {
      title: t.products.when,
      summary: hoursLines(draft).join(' · '),
      members: ['hours', 'timeIntervalMinutes'],
      isFirst: true,
      fields: html`<${HoursFields} ...${props} />`,
    },
    house && {
      title: t.products.seating,
      summary: `${guestsText(house, null)} · ${stayLines(house).join(', ')}`,
      members: [...of('house', SEATING), 'spaceIds'],
      isFirst: false,
      fields: html`<${SeatingFields} ...${props} />`,
    },
    house && {
      title: t.products.booking,
      summary: bookingText(house),
      members: of('house', BOOKING),
      isFirst: false,
      fields: html`<${BookingFields} ...${props} />`,
    },
    {
      title: t.products.payment,
      summary:
        draft.paymentRules.length > 0
          ? `${draft.paymentRules.map(depositText).join(' · ')} · ${refundText(draft.refundTerms)}`
          : t.products.noDeposits,
      members: ['paymentRules', 'refundTerms'],
      isFirst: false,
      fields: html`<${PaymentFields} ...${props} />`,
    },
    {
      title: t.products.preorder,
      summary: preorderText(draft, context),
      members: ['preOrderRequiredType', 'packageIds', 'menuIds'],
      isFirst: false,
      fields: html`<${PreorderFields} ...${props} />`,
    },
    terms && {
      title: t.products.terms,
      summary: [terms.policy, terms.cancellationPolicy].filter(Boolean).join(' ') || t.products.noTerms,
      members: of(part, TERMS),
      isFirst: false,
      fields: html`<${TermsFields} ...${props} />`,
    },
  ];
  return entries.filter((entry): entry is SectionEntry => Boolean(entry));
}
