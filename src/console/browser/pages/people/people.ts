import { html } from 'htm/preact';
import type { Invite, Member } from '../../../../features/accounts/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { address } from '../../app/router.ts';
import { Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { InviteForm } from './invite-form.ts';
import { Invites } from './invites.ts';
import { Members } from './members.ts';

/** Who works here, with which role, and who was asked to. */
export default function People({ params: { operatorId = '' } }: PageProps) {
  const base = path`/manage/operators/${operatorId}`;
  const { query } = address.value;
  const [page, invitePage] = [query.get('page'), query.get('invites')];
  const members = useLoad(
    () => api.get<Page<Member>>(`${base}/users`, { pageNumber: page, pageSize: 50 }),
    [base, page],
  );
  const invites = useLoad(
    () => api.get<Page<Invite>>(`${base}/invites`, { pageNumber: invitePage, pageSize: 10 }),
    [base, invitePage],
  );
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
        <${InviteForm} base=${base} onSent=${() => invites.reload()} />
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
    </div>
  `;
}
