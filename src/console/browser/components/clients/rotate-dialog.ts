import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { NewClientSecret } from '../../../../features/clients/schema.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { CopyButton } from '../copy-button.ts';
import { Dialog } from '../dialog.ts';
import { FormFoot } from '../edit-dialog.ts';
import { SelectField } from '../field.ts';

interface Props {
  make: (body: object) => Promise<NewClientSecret>;
  onMade: () => Promise<void>;
  onClose: () => void;
}

/** From one secret to the next without a moment in which none works. */
export function RotateDialog({ make, onMade, onClose }: Props) {
  const [made, setMade] = useState<NewClientSecret>();
  const form = useForm({ othersEnd: 'never' }, async ({ othersEnd }) => {
    setMade(await make(othersEnd === 'never' ? {} : { othersExpireInSeconds: Number(othersEnd) }));
    await onMade();
  });
  return html`
    <${Dialog} title=${t.clients.rotate} onClose=${onClose}>
      <ol class="steps">
        ${t.clients.steps.map(
          (step, index) =>
            html`<li key=${index} aria-current=${index === (made ? 1 : 0) ? 'step' : undefined}>${step}</li>`,
        )}
      </ol>
      ${
        made
          ? html`
              <p>${t.clients.secretText}</p>
              <pre class="secret" tabindex="0" role="region" aria-label=${t.clients.secret}>${made.secret}</pre>
              <footer class="dialog-foot">
                <${CopyButton} text=${made.secret} />
                <button type="button" class="button primary" onClick=${onClose}>${t.webhooks.secretKept}</button>
              </footer>
            `
          : html`
              <form onSubmit=${form.submit}>
                <${SelectField}
                  label=${t.clients.othersEnd}
                  hint=${t.clients.othersEndHint}
                  value=${form.values.othersEnd}
                  choices=${Object.entries(t.clients.othersEndChoices).map(([value, label]) => ({ value, label }))}
                  onChange=${(othersEnd: string) => form.set({ othersEnd })}
                />
                <${FormFoot} form=${form} action=${t.clients.makeSecret} onClose=${onClose} />
              </form>
            `
      }
    <//>
  `;
}
