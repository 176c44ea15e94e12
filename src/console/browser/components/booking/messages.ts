import { html } from 'htm/preact';
import type { BookingMessage } from '../../../../features/bookings/operator/schema.ts';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { user } from '../../app/session.ts';
import { say } from '../../app/toasts.ts';
import { TextArea, TextField } from '../field.ts';
import { Loading, Problem } from '../notice.ts';

const MOST = 50;

export interface MessagesProps {
  address: string;
  partnerName: string;
  timeZone: string | undefined;
  lastUpdate: string;
  /** False where the answer to an enquiry is the place to write. */
  canWrite?: boolean;
}

/** What the partner was told about a booking, and what it is to be told. */
export function Messages(props: MessagesProps) {
  const { address, partnerName, timeZone, lastUpdate, canWrite = true } = props;
  const loaded = useLoad(
    () => api.get<Page<BookingMessage>>(`${address}/messages`, { pageSize: MOST }),
    [address, lastUpdate],
  );
  return html`
    <${Loading} loaded=${loaded}>
      ${({ data }: Page<BookingMessage>) =>
        data.length === 0
          ? html`<p class="small quiet">${t.booking.noMessages(partnerName)}</p>`
          : html`<ol class="messages">
              ${data.map(
                ({ id, createdAt, text, replyTo }) => html`
                  <li key=${id}>
                    <p>${text ?? t.booking.forgotten}</p>
                    <p class="small quiet">${momentOf(createdAt, timeZone)}${replyTo && ` · ${t.booking.answersTo(replyTo)}`}</p>
                  </li>
                `,
              )}
            </ol>`}
    <//>
    ${canWrite && html`<${MessageForm} address=${address} partnerName=${partnerName} onSent=${loaded.reload} />`}
  `;
}

interface MessageFormProps {
  address: string;
  partnerName: string;
  onSent: () => Promise<void>;
}

function MessageForm({ address, partnerName, onSent }: MessageFormProps) {
  const empty = { text: '', replyTo: user.value?.email ?? '' };
  const form = useForm(empty, async ({ text, replyTo }) => {
    await api.post(`${address}/messages`, { text, replyTo: replyTo.trim() || null });
    form.reset({ text: '', replyTo });
    say(t.booking.messageSent(partnerName));
    await onSent();
  });
  return html`
    <form onSubmit=${form.submit}>
      <${TextArea}
        label=${t.booking.writeTo(partnerName)}
        rows="2"
        required
        maxlength="4000"
        value=${form.values.text}
        errors=${form.errorsOf('text')}
        onInput=${(text: string) => form.set({ text })}
      />
      ${
        form.values.text !== '' &&
        html`<${TextField}
          label=${t.booking.replyTo}
          type="email"
          value=${form.values.replyTo}
          errors=${form.errorsOf('replyTo')}
          onInput=${(replyTo: string) => form.set({ replyTo })}
        />`
      }
      <${Problem} problem=${form.problem} />
      <div class="row">
        <button type="submit" class="button" disabled=${form.isSending || form.values.text.trim() === ''}>
          ${t.booking.send}
        </button>
      </div>
    </form>
  `;
}
