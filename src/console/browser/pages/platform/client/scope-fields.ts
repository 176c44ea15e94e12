import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { CheckField } from '../../../components/field.ts';
import { type Kind, SCOPES_OF, type Scope } from './kinds.ts';

interface Props {
  kind: Kind;
  scopes: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
}

/** What a client may do at most. */
export const ScopeFields = ({ kind, scopes, onChange }: Props) => {
  if (kind === 'platform') return html`<p class="quiet">${t.clients.allScopes}</p>`;
  const possible = SCOPES_OF[kind];
  return html`
    <fieldset class="plain">
      <legend>${t.clients.scopes}</legend>
      ${possible.map(
        (scope) => html`
          <${CheckField}
            key=${scope}
            label=${t.clients.scopeTexts[scope]}
            isOn=${scopes.includes(scope)}
            onChange=${(isOn: boolean) =>
              onChange(possible.filter((each) => (each === scope ? isOn : scopes.includes(each))))}
          />
        `,
      )}
    </fieldset>
  `;
};
