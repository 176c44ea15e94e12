import { html } from 'htm/preact';
import { t } from '../app/language.ts';
import { Icon } from './icon.ts';

export interface BackLinkProps {
  /** Where it leads. */
  label: string;
  isChanged?: boolean;
  onBack: () => void;
}

/** From one entry back to its list, on the same page. */
export const BackLink = ({ label, isChanged = false, onBack }: BackLinkProps) => html`
  <button
    type="button"
    class="button quiet back-link"
    onClick=${() => {
      if (!isChanged || confirm(t.common.unsaved)) onBack();
    }}
  >
    <${Icon} name="left" size=${16} /> ${label}
  </button>
`;
