/** Tools that say what a venue demands, and what the caller may do, before a booking is tried. */
import { Type } from 'typebox';
import { ExplainBody } from '../../features/bookings/service.ts';
import { OwnMandate } from '../../features/mandates/service.ts';
import { oneOf, text } from '../../http/validation/schema-helpers.ts';
import { closed, defineTool, goesOn, nextPage, page, told } from './tool.ts';

const RULES_PER_PAGE = 20;

export const getBookingRules = defineTool({
  name: 'get_booking_rules',
  description: 'What venues demand of bookings, in sentences.',
  scope: 'venue:read',
  hints: 'read',
  input: Type.Object({ venueId: Type.Optional(text('Venue or product')), page }, closed),
  output: Type.Object({
    rules: Type.Array(Type.Object({ summary: Type.String(), code: Type.Optional(Type.String()) })),
    nextPage,
  }),
  async run({ rules, caller }, { venueId, page: pageNumber = 1 }) {
    const all = (await rules.list(caller, venueId === undefined ? {} : { venueId })).rules;
    const end = pageNumber * RULES_PER_PAGE;
    const shown = all.slice(end - RULES_PER_PAGE, end).map(({ summary, errorCode }) => ({
      summary,
      ...(errorCode !== undefined && { code: errorCode }),
    }));
    const next = end < all.length ? pageNumber + 1 : undefined;
    return {
      text:
        all.length === 0
          ? 'No rules concern you here.'
          : [`${all.length} rules.`, ...shown.map(({ summary }) => summary), ...goesOn(next)].join('\n'),
      data: { rules: shown, ...(next && { nextPage: next }) },
    };
  },
});

const draft = ExplainBody.properties.booking.properties;

export const explainBooking = defineTool({
  name: 'explain_booking',
  description: 'What the rules would say about a booking, and what to change. Nothing is booked.',
  scope: 'venue:read',
  hints: 'read',
  input: Type.Object(
    {
      compositeId: text('Product id'),
      partySize: draft.partySize,
      children: told(draft.children),
      date: Type.String({ format: 'date' }),
      time: text('HH:MM'),
      depositAmount: told(draft.depositAmount, 'Pence'),
    },
    closed,
  ),
  output: Type.Object({
    outcome: oneOf(['accepted', 'rejected'] as const),
    type: oneOf(['book', 'request'] as const),
    code: Type.Optional(Type.String()),
    rules: Type.Array(
      Type.Object({ summary: Type.String(), does: Type.String(), change: Type.Optional(Type.String()) }),
    ),
  }),
  async run({ bookings, caller }, { compositeId, ...booking }) {
    const { outcome, type, errorCode, rules } = await bookings.explain(caller, { compositeId, booking });
    const applied = rules.flatMap(({ summary, does, change }) =>
      does === null ? [] : [{ summary, does, ...(change !== null && { change: change.sentence }) }],
    );
    const reasons = applied.map(({ does, change }) => change ?? does).join(' ');
    return {
      text: `The rules say: ${outcome}${type === 'request' ? ', as a request to the venue' : ''}. ${reasons}`.trim(),
      data: { outcome, type, ...(errorCode !== null && { code: errorCode }), rules: applied },
    };
  },
});

export const getMandate = defineTool({
  name: 'get_mandate',
  description: 'What you may book at most, and how much of it is left.',
  scope: 'venue-booking:read',
  hints: 'read',
  input: Type.Object({}, closed),
  output: OwnMandate,
  async run({ mandates, caller }) {
    const data = await mandates.own(caller);
    const limits = Object.entries(data.mandate ?? {}).filter(([, limit]) => limit != null);
    const list = limits.map(([name, limit]) => `${name} ${JSON.stringify(limit)}`);
    const { openBookingsLeft, bookingsLeft } = data;
    const left = [
      ...(openBookingsLeft === null ? [] : [`${openBookingsLeft} open bookings`]),
      ...(bookingsLeft === null ? [] : [`${bookingsLeft} bookings now`]),
    ];
    const rest = left.length === 0 ? '' : ` Left: ${left.join(', ')}.`;
    return { text: list.length === 0 ? 'Nothing is limited.' : `Limits: ${list.join(', ')}.${rest}`, data };
  },
});
