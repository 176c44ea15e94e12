import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { TextField } from '../../../components/field.ts';
import type { Credentials } from './token.ts';

interface Props {
  clientIds: readonly string[];
  credentials: Credentials;
  onChange: (changes: Partial<Credentials>) => void;
}

/** As whom the call is made. Nothing of this leaves the page but for a token. */
export const CredentialFields = ({ clientIds, credentials, onChange }: Props) => html`
  <p class="quiet">${t.tryCall.credentialsText}</p>
  <div class="columns">
    <${TextField}
      label=${t.start.clientId}
      required
      list="client-ids"
      autocomplete="off"
      value=${credentials.clientId}
      onInput=${(clientId: string) => onChange({ clientId })}
    />
    <datalist id="client-ids">${clientIds.map((id) => html`<option key=${id} value=${id} />`)}</datalist>
    <${TextField}
      label=${t.clients.secret}
      type="password"
      required
      autocomplete="off"
      value=${credentials.secret}
      onInput=${(secret: string) => onChange({ secret })}
    />
    <${TextField}
      label=${t.start.audience}
      required
      autocomplete="off"
      value=${credentials.audience}
      onInput=${(audience: string) => onChange({ audience })}
    />
  </div>
`;
