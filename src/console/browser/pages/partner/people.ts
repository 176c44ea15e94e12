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
import { Invites } from '../people/invites.ts';
import { InviteDeveloper } from './invite-developer.ts';

/** Who works for the partner, and who was asked to. */
export default function PartnerPeople({ params: { partnerId = '' } }: PageProps) {
  const base = path`/manage/partners/${partnerId}`;
  const { query } = address.value;
  const [page, invitePage] = [query.get('page'), query.get('invites')];
  const members = useLoad(
    () => api.get<Page<PartnerMember>>(`${base}/users`, { pageNumber: page, pageSize: 50 }),
    [base, page],
  );
  const invites = useLoad(
    () => api.get<Page<Invite>>(`${base}/invites`, { pageNumber: invitePage, pageSize: 10 }),
    [base, invitePage],
  );
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
              ${data.map((member) => html`<${Entry} key=${member.id} member=${member} onRemove=${setLeaving} />`)}
            </ul>`
          }
          <${Pager} meta=${meta} />
        `}
      <//>
      <div class="columns">
        <${InviteDeveloper} base=${base} onSent=${() => invites.reload()} />
        <section class="panel">
          <h2>${t.people.invites}</h2>
          <${Loading} loaded=${invites}>
            ${({ data, meta }: Page<Invite>) => html`
              <${Invites} base=${base} invites=${data} onChanged=${() => invites.reload()} />
              <${Pager} meta=${meta} name="invites" />
            `}
          <//>
        </section>
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

const Entry = ({
  member,
  onRemove,
}: {
  member: PartnerMember;
  onRemove: (member: PartnerMember) => void;
}) => html`
  <li>
    <div class="person">
      <strong>${member.name}</strong>
      ${member.id === user.value?.id && html`<span class="tag info">${t.people.you}</span>`}
      ${!member.isVerified && html`<span class="tag warn">${t.people.notVerified}</span>`}
      ${member.isDisabled && html`<span class="tag bad">${t.people.disabled}</span>`}
      <p class="small quiet break">${member.email}</p>
    </div>
    <span class="small">${t.common.roles[member.role]}</span>
    <button type="button" class="button danger" aria-label=${t.people.removeOf(member.name)} onClick=${() => onRemove(member)}>
      ${t.common.remove}
    </button>
  </li>
`;
