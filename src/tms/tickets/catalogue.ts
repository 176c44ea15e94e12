/** What events and their ticket types say of themselves in documents. */
import { invalid } from '../../kernel/problem.ts';
import type { PartCheck, SystemCatalogue } from '../local-system.ts';
import { assertStart } from '../occurrences.ts';
import { exportEvents, importTickets, listTicketTypes, saveTicketType } from './catalogue-store.ts';
import type { TicketsDocument, TicketTypeDocument } from './document.ts';

export const catalogue: SystemCatalogue = {
  checkProduct: async (_tx, _venueId, type: TicketTypeDocument) => assertTicketType(type),
  saveProduct: saveTicketType,

  async listProducts(tx, venueId, productId) {
    const types = await listTicketTypes(tx, venueId, productId);
    return new Map([...types].map(([id, type]) => [id, { tickets: type }]));
  },

  importVenue: importTickets,
  exportVenues: exportEvents,
  checkVenue,
  productsIn: ({ ticketTypes }: TicketsDocument) => ({ list: 'ticketTypes', entries: ticketTypes }),
  numbered: {},
  numbersIn: () => [],
  renumber: (part) => part,
  count: ({ occurrences }: TicketsDocument) => ({ occurrences: occurrences.length }),
};

function assertTicketType({ minPerBooking = 1, maxPerBooking }: TicketTypeDocument): void {
  if (minPerBooking > maxPerBooking)
    throw invalid('tickets.maxPerBooking', `must not be below minPerBooking, which is ${minPerBooking}`);
}

function checkVenue(
  { ticketTypes, occurrences }: TicketsDocument,
  { faults, path, timeZone }: PartCheck,
): void {
  for (const [index, type] of ticketTypes.entries())
    faults.attempt(`${path}.ticketTypes.${index}`, () => assertTicketType(type), 'tickets.');
  const starts = new Set<string>();
  for (const [index, occurrence] of occurrences.entries()) {
    const at = `${path}.occurrences.${index}`;
    if (timeZone !== undefined) faults.attempt(at, () => assertStart(timeZone, occurrence));
    const start = `${occurrence.date} ${occurrence.startsMinute}`;
    if (starts.has(start)) faults.add(at, 'starts when one before it does');
    starts.add(start);
  }
}
