import { html } from 'htm/preact';
import type { Member } from '../../../../features/accounts/schema.ts';
import { api, path } from '../../app/api.ts';
import { type Page, useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { may } from '../../app/session.ts';
import { AuditView } from '../../components/audit/audit-view.ts';

/** The audit log of the operator. Only owners may read who works here, so only they choose from all. */
export default function Audit({ params: { operatorId = '' } }: PageProps) {
  const mayReadPeople = may(Number(operatorId), 'owner');
  const people = useLoad(
    async () =>
      mayReadPeople
        ? (await api.get<Page<Member>>(path`/manage/operators/${operatorId}/users`, { pageSize: 100 })).data
        : [],
    [operatorId, mayReadPeople],
  );
  return html`<${AuditView} base=${path`/manage/operators/${operatorId}/audit`} people=${people.data} />`;
}
