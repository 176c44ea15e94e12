/** What becomes of FAQs that are changed, and what is too much. */
import { checkerOf } from '../../http/validation.ts';
import { applyPatch } from '../../kernel/patch.ts';
import { invalid, Problem, problem } from '../../kernel/problem.ts';
import { type BulkItem, type FaqsPatch, SiteFaqs } from './schema.ts';

/** Far more than anybody reads; the limits of single texts alone would allow ten million. */
const MAX_CHARACTERS = 2_000_000;
/** Of all the venues of one call: what it makes is held in memory, and answered. */
export const MAX_BULK_CHARACTERS = 8_000_000;

const checkFaqs = checkerOf(SiteFaqs);

export function charactersIn(faqs: SiteFaqs): number {
  return faqs.reduce((sum, { question, answer }) => sum + question.length + answer.length, 0);
}

/** The same list, unless there is too much of it. */
export function bounded(faqs: SiteFaqs): SiteFaqs {
  if (charactersIn(faqs) <= MAX_CHARACTERS) return faqs;
  throw invalid('body', `has more than ${MAX_CHARACTERS.toLocaleString('en')} characters altogether`);
}

export function patched(faqs: SiteFaqs, patch: FaqsPatch): SiteFaqs {
  return bounded(checkFaqs(applyPatch(faqs, patch)));
}

/** What an item of a bulk call makes of the FAQs of its venue; refusals name the item. */
export function changedBy(item: BulkItem, index: number, faqs: SiteFaqs): SiteFaqs {
  try {
    return item.mode === 'replace' ? bounded(item.faqs) : patched(faqs, item.patch);
  } catch (refusal) {
    if (!(refusal instanceof Problem)) throw refusal;
    const field = `items.${index}.${item.mode === 'replace' ? 'faqs' : 'patch'}`;
    throw problem(refusal.code, {
      detail: `${field}: ${refusal.message}`,
      errors: Object.fromEntries(
        Object.entries(refusal.options.errors ?? {}).map(([path, messages]) => [
          path === 'body' ? field : `${field}.${path}`,
          messages,
        ]),
      ),
    });
  }
}
