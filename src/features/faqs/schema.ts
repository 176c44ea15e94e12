import { type Static, Type } from 'typebox';
import { JsonPatch, named, patchBody, text } from '../../http/validation/schema-helpers.ts';

export const faqsExample = [
  { question: 'Is there parking?', answer: 'Behind the house, **free after six**.' },
  { question: 'Are dogs welcome?', answer: 'In the garden, yes.' },
];

const patchExample = [
  { op: 'replace', path: '/0/answer', value: 'Behind the house, free all day.' },
  { op: 'add', path: '/-', value: { question: 'Is there a cloakroom?', answer: 'By the door.' } },
];

export const bulkExample = {
  items: [{ venueCompositeId: '1|house|soho-grill', faqs: faqsExample }],
};

const MAX_FAQS = 500;
const MAX_VENUES = 500;

const closed = { additionalProperties: false };

const SiteFaq = Type.Object(
  {
    question: Type.String({ maxLength: 1000, description: 'May contain markdown' }),
    answer: Type.String({ maxLength: 20_000, description: 'May contain markdown' }),
  },
  { ...closed, ...named('SiteFaq', 'A question that guests ask, and its answer, both as they were written') },
);

export const SiteFaqs = Type.Array(SiteFaq, { maxItems: MAX_FAQS, examples: [faqsExample] });
export type SiteFaqs = Static<typeof SiteFaqs>;

export const FaqsPatch = patchBody(patchExample);
export type FaqsPatch = Static<typeof FaqsPatch>;

const venueCompositeId = Type.String({
  maxLength: 300,
  description: 'Id of the venue',
  examples: ['1|house|soho-grill'],
});

const BulkReplacement = Type.Object(
  { venueCompositeId, mode: Type.Literal('replace'), faqs: SiteFaqs },
  { ...closed, ...named('FaqReplacement', 'All FAQs of one venue') },
);
const BulkPatch = Type.Object(
  { venueCompositeId, mode: Type.Literal('patch'), patch: JsonPatch },
  { ...closed, ...named('FaqPatch', 'Changes to the FAQs of one venue') },
);

export const BulkBody = Type.Object(
  {
    items: Type.Array(Type.Union([BulkReplacement, BulkPatch]), {
      minItems: 1,
      maxItems: MAX_VENUES,
      description: 'One for each venue',
    }),
  },
  {
    ...closed,
    examples: [
      {
        items: [
          { venueCompositeId: '1|house|soho-grill', mode: 'replace', faqs: faqsExample },
          { venueCompositeId: '1|house|garden-room', mode: 'patch', patch: patchExample },
        ],
      },
    ],
  },
);
export type BulkItem = Static<typeof BulkBody>['items'][number];

export const BulkResult = Type.Object(
  {
    items: Type.Array(Type.Object({ venueCompositeId: text('Id of the venue'), faqs: SiteFaqs }), {
      description: 'In the order of the request',
    }),
  },
  named('FaqBulkResult', 'The FAQs that venues now have'),
);
export type BulkResult = Static<typeof BulkResult>;
