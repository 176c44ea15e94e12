import { type Static, Type } from 'typebox';
import { DryRunQuery, operatorId } from '../../http/manage-route.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { named, nullable, oneOf } from '../../http/validation/schema-helpers.ts';
import { OPTIONAL_BODY } from '../../http/validation/validation.ts';
import { segment } from '../venues/service.ts';

const RUN_KINDS = ['review', 'apply', 'nightly'] as const;
const RUN_STATES = ['running', 'done', 'failed'] as const;
const DIFFERENCE_KINDS = ['added', 'changed', 'withdrawn', 'failed'] as const;
const SUBJECTS = ['venue', 'product'] as const;

const account = { operatorId, tms: segment('Slug of the system') };
const runId = Type.String({ format: 'uuid', description: 'Id of the run' });

export const AccountPath = Type.Object(account);
export type AccountPath = Static<typeof AccountPath>;
export const RunPath = Type.Object({ ...account, runId });

export const RunQuery = Type.Object({
  dryRun: Type.Boolean({
    ...DryRunQuery.properties.dryRun,
    description: 'Find the differences, apply nothing',
  }),
});
export const RunListQuery = Type.Object(pageQuery);
export const DifferenceQuery = Type.Object({
  ...pageQuery,
  kind: Type.Optional(oneOf(DIFFERENCE_KINDS, { description: 'Only those of this kind' })),
});
export type DifferenceQuery = Static<typeof DifferenceQuery>;

export const RunBody = Type.Object(
  {
    reviewedRunId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'The dry run whose differences were reviewed, at most 24 hours old; required unless `dryRun` is sent',
      }),
    ),
  },
  {
    additionalProperties: false,
    [OPTIONAL_BODY]: true,
    examples: [{ reviewedRunId: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1' }],
  },
);
export type RunBody = Static<typeof RunBody>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const CatalogueRun = Type.Object(
  {
    id: runId,
    kind: oneOf(RUN_KINDS, {
      description:
        '`review`: a dry run. `apply`: what a review has found. `nightly`: changes and withdrawals of what is known here; new venues and products are only listed',
    }),
    state: oneOf(RUN_STATES),
    reviewedRunId: nullable(Type.String({ format: 'uuid' })),
    startedBy: Type.String({ description: 'Name of the actor' }),
    pages: count('Pages that are read'),
    venuesRead: count('Venues in them, each counted once'),
    total: nullable(count('Venues in all, if the system says')),
    added: count('Venues and products that are not here yet'),
    changed: count('Venues and products that are different there, or on sale again'),
    withdrawn: count('Products on sale here that are gone there, and venues whose products all are'),
    unchanged: count('Venues and products that are the same'),
    failed: count('Venues and products that cannot be used; the differences say why'),
    failure: nullable(Type.String({ description: 'Why the run failed, in a sentence' })),
    createdAt: Type.String({ format: 'date-time' }),
    finishedAt: nullable(Type.String({ format: 'date-time' })),
  },
  named('CatalogueRun', 'One reading of the catalogue that an operator has at a system'),
);
export type CatalogueRun = Static<typeof CatalogueRun>;

export const FieldChange = Type.Object({
  field: Type.String(),
  before: nullable(Type.String({ description: 'As it is here, in words; null: nothing' })),
  after: nullable(Type.String({ description: 'As it is there' })),
});
export type FieldChange = Static<typeof FieldChange>;

export const Difference = Type.Object(
  {
    position: Type.Integer({ minimum: 1 }),
    kind: oneOf(DIFFERENCE_KINDS),
    subject: oneOf(SUBJECTS),
    resourceId: nullable(
      Type.String({ description: 'The venue, third segment of its id; null: none that can be used' }),
    ),
    productKey: nullable(Type.String({ description: 'The product, fourth segment of its id' })),
    name: nullable(Type.String()),
    changes: Type.Array(FieldChange),
    note: nullable(Type.String({ description: 'What else there is to know, such as why it failed' })),
    isApplied: Type.Boolean({ description: 'It is so here now' }),
  },
  named('CatalogueDifference', 'What is different at the system from here'),
);
export type Difference = Static<typeof Difference>;

export const runExample: CatalogueRun = {
  id: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1',
  kind: 'review',
  state: 'done',
  reviewedRunId: null,
  startedBy: 'demo-operator',
  pages: 2,
  venuesRead: 14,
  total: 14,
  added: 3,
  changed: 1,
  withdrawn: 0,
  unchanged: 40,
  failed: 0,
  failure: null,
  createdAt: '2026-11-14T18:02:11.482Z',
  finishedAt: '2026-11-14T18:02:13.120Z',
};

export const differenceExample: Difference = {
  position: 1,
  kind: 'changed',
  subject: 'product',
  resourceId: 'soho-grill',
  productKey: 'dinner',
  name: 'Dinner',
  changes: [{ field: 'maxGuests', before: '8', after: '10' }],
  note: null,
  isApplied: false,
};
