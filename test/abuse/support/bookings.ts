import assert from 'node:assert/strict';
import type { TestApp } from '../../support/app.ts';

interface Made {
  id: string;
  operatorId: number;
  partner: string;
  company: string | null;
}

interface BookingDraft {
  as?: 'demo-partner' | 'other-partner';
  productId?: string;
  guest?: { firstName: string; lastName: string; [name: string]: unknown };
}

const IN_A_MONTH = Temporal.Now.plainDateISO('UTC').add({ days: 30 }).toString();

/** An enquiry in a month's time: it takes nothing from anybody, and can be made as often as one likes. */
export async function makeBooking(app: TestApp, draft: BookingDraft = {}): Promise<Made> {
  const { as = 'demo-partner', productId = '1|house|soho-grill|dinner', guest } = draft;
  const answer = await app.call(`/venues/${encodeURIComponent(productId)}/booking`, {
    method: 'POST',
    as,
    body: {
      type: 'request',
      partySize: 2,
      date: IN_A_MONTH,
      time: '19:00',
      ...(as === 'demo-partner' && { company: 'Clandestine Holdings' }),
      ...(guest ?? { firstName: 'Ada', lastName: 'Lovelace' }),
    },
  });
  assert.equal(answer.status, 201, answer.text);
  const { id, company } = answer.json;
  return { id, company, operatorId: Number(productId.split('|')[0]), partner: as };
}
