import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { ROLES, type Role } from './members.ts';

/** The roles, each with what it may do. */
export const RoleFields = ({ role, onChange }: { role: Role; onChange: (role: Role) => void }) => html`
  <fieldset class="plain roles">
    <legend>${t.people.role}</legend>
    ${ROLES.map(
      (each) => html`
        <label key=${each} class="role">
          <input type="radio" name="role" value=${each} checked=${each === role} onChange=${() => onChange(each)} />
          <span><strong>${t.common.roles[each]}</strong><br /><span class="small">${t.people.roleTexts[each]}</span></span>
        </label>
      `,
    )}
  </fieldset>
`;
