import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Invite, PartnerMember } from '../../../../features/accounts/schema.ts';
import { act } from '../../app/act.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { address } from '../../app/router.ts';
import { user } from '../../app/session.ts';
import { Confirm } from '../../components/dialog.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { InviteForm } from '../../components/people/invite-form.ts';
import { Invites } from '../../components/people/invites.ts';
import { Person } from '../../components/people/person.ts';

const bodyOf = (email: string) => ({ email, role: 'developer' });

/** Who works for the partner, and who was asked to. */
export default function PartnerPeople({ params: { partnerId = '' } }: PageProps) {
  const base = path`/manage/partners/${partnerId}`;
  const page = address.value.query.get('page');
  const members = useLoad(
    () => api.get<Page<PartnerMember>>(`${base}/users`, { pageNumber: page, pageSize: 50 }),
    [base, page],
  );
  const [sent, setSent] = useState(0);
  const [leaving, setLeaving] = useState<PartnerMember>();
  const remove = async (member: PartnerMember) => {
    setLeaving(undefined);
    await act(() => api.remove(`${base}${path`/users/${member.id}`}`), t.people.removed(member.name));
    await members.reload();
  };
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.people}</h1>
        <p>${t.partnerPeople.about}</p>
      </div>
      <${Loading} loaded=${members}>
        ${({ data, meta }: Page<PartnerMember>) => html`
          ${data.length === 0 && html`<${Empty} title=${t.partnerPeople.none} text=${t.partnerPeople.noneText} />`}
          ${
            data.length > 0 &&
            html`<ul class="panel people">
              ${data.map(
                (member) => html`
                  <li key=${member.id}>
                    <${Person} person=${member} />
                    <span class="small">${t.common.roles[member.role]}</span>
                    <button type="button" class="button danger" aria-label=${t.people.removeOf(member.name)} onClick=${() => setLeaving(member)}>
                      ${t.common.remove}
                    </button>
                  </li>
                `,
              )}
            </ul>`
          }
          <${Pager} meta=${meta} />
        `}
      <//>
      <div class="columns">
        <${InviteForm} at=${`${base}/invites`} bodyOf=${bodyOf} onSent=${() => setSent(sent + 1)}>
          <p class="quiet">${t.partnerPeople.roleText}</p>
        <//>
        <${Invites} at=${`${base}/invites`} bodyOf=${({ email }: Invite) => bodyOf(email)} textOf=${() => t.common.roles.developer} sent=${sent} />
      </div>
      ${
        leaving &&
        html`<${Confirm}
          title=${t.people.removeOf(leaving.name)}
          text=${leaving.id === user.value?.id ? t.partnerPeople.leaveText : t.people.removeText(leaving.name, leaving.email)}
          action=${t.common.remove}
          onConfirm=${() => remove(leaving)}
          onClose=${() => setLeaving(undefined)}
        />`
      }
    </div>
  `;
}
