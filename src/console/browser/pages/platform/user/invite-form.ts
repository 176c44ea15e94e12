import { html } from 'htm/preact';
import { api } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { say } from '../../../app/toasts.ts';
import { TextField } from '../../../components/field.ts';
import { Problem } from '../../../components/notice.ts';
import { inviteOf, PLACES, type Place } from './place.ts';
import { firstPlace, PlaceFields } from './place-fields.ts';

/** Asks somebody to join, anywhere. */
export function InviteForm({ onSent }: { onSent: () => Promise<void> }) {
  const form = useForm({ email: '', place: firstPlace() }, async ({ email, place }) => {
    await api.post('/manage/invites', inviteOf(email, place));
    say(t.people.invited(email));
    form.reset({ email: '', place });
    await onSent();
  });
  const { values, set } = form;
  return html`
    <section class="panel">
      <h2>${t.people.invite}</h2>
      <form onSubmit=${form.submit}>
        <${TextField}
          label=${t.people.email}
          type="email"
          required
          autocomplete="off"
          value=${values.email}
          errors=${form.errorsOf('email')}
          onInput=${(email: string) => set({ email })}
        />
        <${PlaceFields}
          kinds=${PLACES}
          place=${values.place}
          onChange=${(changes: Partial<Place>) => set({ place: { ...values.place, ...changes } })}
        />
        <${Problem} problem=${form.problem} />
        <div>
          <button type="submit" class="button primary" disabled=${form.isSending}>${t.people.send}</button>
        </div>
      </form>
    </section>
  `;
}
