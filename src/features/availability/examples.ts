import { plainExample } from '../../http/openapi-problems.ts';
import { venueExample } from '../venues/examples.ts';
import type { AvailabilityResults } from './batch-schema.ts';
import type { Availability } from './schema.ts';

const [product] = venueExample.products;

/** What the OpenAPI document shows for a day with two starts. */
export const availabilityExample: Availability = {
  name: 'Dinner',
  deposit: null,
  policy: 'Tables are kept for fifteen minutes.',
  cancellationPolicy: 'Free of charge until 24 hours before.',
  times: [
    {
      time: '19:30',
      date: '2026-12-05',
      dateTime: '2026-12-05T19:30:00+00:00',
      duration: 90,
      minDuration: 60,
      maxDuration: 180,
      durationInterval: 15,
      type: 'book',
      product: { id: '1|house|soho-grill|dinner', name: 'Dinner', spaces: product?.spaces ?? [] },
      productId: '1|house|soho-grill|dinner',
    },
    {
      time: '19:45',
      date: '2026-12-05',
      dateTime: '2026-12-05T19:45:00+00:00',
      duration: 90,
      minDuration: 60,
      maxDuration: 180,
      durationInterval: 15,
      type: 'request',
      requestReason: 'fully_booked',
      product: { id: '1|house|soho-grill|dinner', name: 'Dinner', spaces: [] },
      productId: '1|house|soho-grill|dinner',
    },
  ],
  noAvailabilityReason: null,
  noAvailabilityCode: null,
};

/** One product that can be had and one that does not exist. */
export const batchExample: AvailabilityResults = {
  results: [
    { compositeId: '1|house|soho-grill|dinner', availability: availabilityExample },
    { compositeId: '1|house|soho-grill|tea', error: plainExample('AVAIL-N-001') },
  ],
};
