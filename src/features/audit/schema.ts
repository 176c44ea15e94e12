import { type Static, Type } from 'typebox';
import { named, nullable, oneOf } from '../../http/validation/schema-helpers.ts';

export const AuditEntry = Type.Object(
  {
    id: Type.String({ description: 'Later entries have greater ids' }),
    at: Type.String({ format: 'date-time' }),
    operatorId: nullable(Type.Integer({ description: 'Whose it is; null: the platform’s' })),
    actor: Type.Object(
      {
        kind: oneOf(['client', 'user', 'system'] as const, {
          description: '`system`: the venue changed it in its own table management system',
        }),
        id: Type.String({ description: 'Id of the client or of the user, or the slug of the system' }),
        name: Type.String({ description: 'What it was called then' }),
      },
      { description: 'Who did it' },
    ),
    action: Type.String({ description: 'What was done, such as `venue.change`' }),
    subject: Type.String({ description: 'What it was done with, such as `venue 1|house|soho-grill`' }),
    before: Type.Unknown({
      description: 'What it was, as its own address showed it; null: it was not there',
    }),
    after: Type.Unknown({ description: 'What it has become; null: it is gone' }),
    isShortened: Type.Boolean({
      description:
        'In a list, `before` and `after` are left out where they are long; read the entry by its id',
    }),
  },
  named('AuditEntry', 'One change, with who made it'),
);
export type AuditEntry = Static<typeof AuditEntry>;

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
