import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { TextArea } from '../../../components/field.ts';
import type { SectionFieldsProps } from './section-props.ts';

/** What guests are told before they book. */
export function TermsFields({ draft, set, errorsOf }: SectionFieldsProps) {
  const part = draft.house ? 'house' : 'tickets';
  const terms = draft[part];
  if (!terms) return null;
  const put = (changes: { policy?: string | null; cancellationPolicy?: string | null }) =>
    set({ [part]: { ...terms, ...changes } });
  return html`
    <${TextArea} label=${t.products.policy} hint=${t.products.policyHint} maxlength="5000" value=${terms.policy} errors=${errorsOf(`${part}.policy`)} onInput=${(text: string) => put({ policy: text || null })} />
    <${TextArea} label=${t.products.cancellationPolicy} hint=${t.products.cancellationPolicyHint} maxlength="5000" value=${terms.cancellationPolicy} errors=${errorsOf(`${part}.cancellationPolicy`)} onInput=${(text: string) => put({ cancellationPolicy: text || null })} />
  `;
}
