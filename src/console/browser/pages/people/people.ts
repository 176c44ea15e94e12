import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Invite, Member } from '../../../../features/accounts/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { address, type PageProps } from '../../app/router.ts';
import { Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { InviteForm } from '../../components/people/invite-form.ts';
import { Invites } from '../../components/people/invites.ts';
import { Members, ROLES, type Role } from './members.ts';

/** Who works here, with which role, and who was asked to. */
export default function People({ params: { operatorId = '' } }: PageProps) {
  const base = path`/manage/operators/${operatorId}`;
  const page = address.value.query.get('page');
  const members = useLoad(
    () => api.get<Page<Member>>(`${base}/users`, { pageNumber: page, pageSize: 50 }),
    [base, page],
  );
  const [role, setRole] = useState<Role>('staff');
  const [sent, setSent] = useState(0);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.people}</h1>
        <p>${t.people.about}</p>
      </div>
      <${Loading} loaded=${members}>
        ${({ data, meta }: Page<Member>) => html`
          <${Members} base=${base} members=${data} onChanged=${() => members.reload()} />
          <${Pager} meta=${meta} />
        `}
      <//>
      <div class="columns">
        <${InviteForm} at=${`${base}/invites`} bodyOf=${(email: string) => ({ email, role })} onSent=${() => setSent(sent + 1)}>
          <${RoleFields} role=${role} onChange=${setRole} />
        <//>
        <${Invites}
          at=${`${base}/invites`}
          bodyOf=${({ email, role }: Invite) => ({ email, role })}
          textOf=${({ role }: Invite) => (role ? t.common.roles[role] : '')}
          sent=${sent}
        />
      </div>
    </div>
  `;
}

/** The roles, each with what it may do. */
const RoleFields = ({ role, onChange }: { role: Role; onChange: (role: Role) => void }) => html`
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
