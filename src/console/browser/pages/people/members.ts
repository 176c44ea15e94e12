import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Member } from '../../../../features/accounts/schema.ts';
import { act } from '../../app/act.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { Confirm } from '../../components/dialog.ts';
import { Person } from '../../components/people/person.ts';

export const ROLES = ['staff', 'manager', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export interface MembersProps {
  /** Of the operator. */
  base: string;
  members: readonly Member[];
  onChanged: () => Promise<void>;
}

/** A role is changed at once and can be put back; taking one away ends every session there. */
export function Members({ base, members, onChanged }: MembersProps) {
  const [leaving, setLeaving] = useState<Member>();
  const setRole = async (member: Member, role: Role) => {
    const put = (next: Role) => api.put(`${base}${path`/users/${member.id}`}`, { role: next });
    await act(
      () => put(role),
      t.people.roleChanged(member.name, t.common.roles[role]),
      async () => {
        await put(member.role);
        await onChanged();
      },
    );
    await onChanged();
  };
  const remove = async (member: Member) => {
    setLeaving(undefined);
    await act(() => api.remove(`${base}${path`/users/${member.id}`}`), t.people.removed(member.name));
    await onChanged();
  };
  return html`
    <ul class="panel people">
      ${members.map(
        (member) => html`
          <li key=${member.id}>
            <${Person} person=${member}><p class="small">${t.people.roleTexts[member.role]}</p><//>
            <select
              aria-label=${t.people.roleOf(member.name)}
              value=${member.role}
              onChange=${(event: Event) => setRole(member, (event.currentTarget as HTMLSelectElement).value as Role)}
            >
              ${ROLES.map(
                (role) =>
                  html`<option key=${role} value=${role} selected=${role === member.role}>${t.common.roles[role]}</option>`,
              )}
            </select>
            <button
              type="button"
              class="button danger"
              aria-label=${t.people.removeOf(member.name)}
              onClick=${() => setLeaving(member)}
            >
              ${t.common.remove}
            </button>
          </li>
        `,
      )}
    </ul>
    ${
      leaving &&
      html`<${Confirm}
        title=${t.people.removeOf(leaving.name)}
        text=${t.people.removeText(leaving.name, leaving.email)}
        action=${t.common.remove}
        onConfirm=${() => remove(leaving)}
        onClose=${() => setLeaving(undefined)}
      />`
    }
  `;
}
