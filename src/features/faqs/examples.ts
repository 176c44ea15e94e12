export const faqsExample = [
  { question: 'Is there parking?', answer: 'Behind the house, **free after six**.' },
  { question: 'Are dogs welcome?', answer: 'In the garden, yes.' },
];

export const patchExample = [
  { op: 'replace', path: '/0/answer', value: 'Behind the house, free all day.' },
  { op: 'add', path: '/-', value: { question: 'Is there a cloakroom?', answer: 'By the door.' } },
];

export const bulkExample = {
  items: [{ venueCompositeId: '1|house|soho-grill', faqs: faqsExample }],
};
