/** An event's occurrences and ticket types as one document: what an operator's data is imported from. */
import type { OccurrenceDocument } from '../occurrences.ts';

export interface TicketTypeDocument {
  /** The fourth segment of the product's composite id. */
  key: string;
  pricePence: number;
  /** Tickets of this type for each occurrence. */
  capacity: number;
  minPerBooking?: number;
  maxPerBooking: number;
  /** Absent: on sale as soon as the occurrence is known. */
  salesOpenDaysBefore?: number;
  salesCloseMinutesBefore?: number;
  policy?: string;
  cancellationPolicy?: string;
}

export interface TicketsDocument {
  occurrences: OccurrenceDocument[];
  ticketTypes: TicketTypeDocument[];
}
