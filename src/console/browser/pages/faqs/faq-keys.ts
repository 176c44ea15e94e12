import type { SiteFaqs } from '../../../../features/faqs/schema.ts';

export type Faq = SiteFaqs[number];

/** Questions have no id: each is known by its words, and by how often they stood before. */
export function keysOf(faqs: readonly Faq[]): string[] {
  const seen = new Map<string, number>();
  return faqs.map(({ question }) => {
    const times = seen.get(question) ?? 0;
    seen.set(question, times + 1);
    return `${times} ${question}`;
  });
}
