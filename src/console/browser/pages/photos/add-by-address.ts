import { html } from 'htm/preact';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { Section } from '../../components/section.ts';

/** For pictures that are kept elsewhere. */
export function AddByAddress({ onAdd }: { onAdd: (url: string) => Promise<void> }) {
  const form = useForm({ url: '' }, async ({ url }) => {
    await onAdd(url.trim());
    form.reset({ url: '' });
  });
  return html`
    <${Section} title=${t.photos.byAddress} summary=${t.photos.byAddressText}>
      <form onSubmit=${form.submit}>
        <${TextField}
          label=${t.photos.address}
          hint=${t.photos.addressHint}
          type="url"
          required
          placeholder="https://"
          value=${form.values.url}
          onInput=${(url: string) => form.set({ url })}
        />
        <${Problem} problem=${form.problem} />
        <div class="row">
          <button type="submit" class="button" disabled=${form.isSending}>${t.common.add}</button>
        </div>
      </form>
    <//>
  `;
}
