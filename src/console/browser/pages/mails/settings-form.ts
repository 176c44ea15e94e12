import { html } from 'htm/preact';
import type { VenueMailSettings } from '../../../../features/notifications/schema.ts';
import { useForm } from '../../app/form.ts';
import { LANGUAGES, t } from '../../app/language.ts';
import { useLeaveGuard } from '../../app/leave-guard.ts';
import { say } from '../../app/toasts.ts';
import { NumberField } from '../../components/amount-field.ts';
import { CheckField, SelectField, TextArea, TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';

export type Settings = VenueMailSettings;

export interface MailSettingsFormProps {
  settings: Settings;
  onSave: (settings: Settings) => Promise<void>;
}

/** A day before is what most houses choose. */
const USUAL_HOURS = 24;

const orNull = (text: string) => (text.trim() === '' ? null : text);

export function MailSettingsForm({ settings, onSave }: MailSettingsFormProps) {
  const form = useForm<Settings>(settings, async (next) => {
    await onSave(next);
    say(t.common.saved, () => onSave(settings));
  });
  useLeaveGuard(form.isChanged);
  const { values, set, errorsOf } = form;
  const languages = [
    { value: '', label: t.mails.languageOfPlace },
    ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
  ];
  return html`
    <form class="panel" onSubmit=${form.submit}>
      <h2>${t.mails.settings}</h2>
      <${TextField}
        label=${t.mails.replyTo}
        hint=${t.mails.replyToHint}
        type="email"
        autocomplete="off"
        value=${values.replyTo}
        errors=${errorsOf('replyTo')}
        onInput=${(replyTo: string) => set({ replyTo: orNull(replyTo) })}
      />
      <${TextArea}
        label=${t.mails.sentence}
        hint=${t.mails.sentenceHint}
        rows="2"
        maxlength="500"
        value=${values.sentence}
        errors=${errorsOf('sentence')}
        onInput=${(sentence: string) => set({ sentence: orNull(sentence) })}
      />
      <${SelectField}
        label=${t.mails.language}
        value=${values.language ?? ''}
        choices=${languages}
        errors=${errorsOf('language')}
        onChange=${(language: string) => set({ language: (language || null) as Settings['language'] })}
      />
      <${CheckField}
        label=${t.mails.remind}
        isOn=${values.reminderHours !== null}
        onChange=${(isOn: boolean) => set({ reminderHours: isOn ? (settings.reminderHours ?? USUAL_HOURS) : null })}
      />
      ${
        values.reminderHours !== null &&
        html`
          <${NumberField}
            label=${t.mails.reminderHours}
            hint=${t.mails.reminderHint}
            min="1"
            max="336"
            required
            value=${values.reminderHours}
            errors=${errorsOf('reminderHours')}
            onInput=${(reminderHours: number | null) => set({ reminderHours: reminderHours ?? 0 })}
          />
        `
      }
      <${Problem} problem=${form.problem} />
      <div class="row">
        <button type="submit" class="button primary" disabled=${form.isSending || !form.isChanged}>${t.common.save}</button>
        ${
          form.isChanged &&
          html`<button type="button" class="button quiet" onClick=${() => form.reset(settings)}>${t.common.discard}</button>`
        }
      </div>
    </form>
  `;
}
