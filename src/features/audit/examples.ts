import type { AuditEntry } from './schema.ts';

export const auditEntryExample: AuditEntry = {
  id: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1',
  at: '2026-11-14T18:02:11.482Z',
  operatorId: 1,
  actor: { kind: 'client', id: 'demo-operator', name: 'demo-operator' },
  action: 'faqs.change',
  subject: 'faqs 1|house|soho-grill',
  before: [],
  after: [{ question: 'Is there parking?', answer: 'Behind the house, free after six.' }],
  isShortened: false,
};
