import { html } from 'htm/preact';
import { useFocusFirst } from '../../app/focus.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { TextArea, TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import type { Faq } from './faq-keys.ts';

export interface FaqFormProps {
  faq: Faq;
  onSave: (faq: Faq) => Promise<void>;
  onCancel: () => void;
}

export function FaqForm({ faq, onSave, onCancel }: FaqFormProps) {
  const form = useForm<Faq>(faq, onSave);
  const element = useFocusFirst<HTMLFormElement>();
  return html`
    <form
      ref=${element}
      class="entry-body"
      onSubmit=${form.submit}
      onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && onCancel()}
    >
      <${TextField}
        label=${t.faqs.question}
        required
        maxlength="1000"
        value=${form.values.question}
        onInput=${(question: string) => form.set({ question })}
      />
      <${TextArea}
        label=${t.faqs.answer}
        hint=${t.faqs.answerHint}
        required
        rows="4"
        maxlength="20000"
        value=${form.values.answer}
        onInput=${(answer: string) => form.set({ answer })}
      />
      <${Problem} problem=${form.problem} />
      <div class="row">
        <button type="submit" class="button primary" disabled=${form.isSending}>${t.common.save}</button>
        <button type="button" class="button" onClick=${onCancel}>${t.common.cancel}</button>
      </div>
    </form>
  `;
}
