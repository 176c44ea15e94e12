import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { CopyButton } from '../copy-button.ts';
import { Dialog } from '../dialog.ts';

/** A secret is shown once: the service keeps it sealed and never tells it again. */
export const SecretShown = ({
  secret,
  text,
  onClose,
}: {
  secret: string;
  text: string;
  onClose: () => void;
}) => html`
  <${Dialog} title=${t.webhooks.secretTitle} onClose=${onClose}>
    <p>${text}</p>
    <pre class="secret" tabindex="0" aria-label=${t.webhooks.secretTitle}>${secret}</pre>
    <footer class="dialog-foot">
      <${CopyButton} text=${secret} />
      <button type="button" class="button primary" onClick=${onClose}>${t.webhooks.secretKept}</button>
    </footer>
  <//>
`;
