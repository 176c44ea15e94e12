import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Member } from '../../../../features/accounts/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { user } from '../../app/session.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Confirm } from '../../components/dialog.ts';

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
    const at = `${base}${path`/users/${member.id}`}`;
    try {
      await api.put(at, { role });
      say(t.people.roleChanged(member.name, t.common.roles[role]), async () => {
        await api.put(at, { role: member.role });
        await onChanged();
      });
    } catch (error) {
      sayProblem(error);
    }
    await onChanged();
  };
  const remove = async (member: Member) => {
    setLeaving(undefined);
    try {
      await api.remove(`${base}${path`/users/${member.id}`}`);
      say(t.people.removed(member.name));
    } catch (error) {
      sayProblem(error);
    }
    await onChanged();
  };
  return html`
    <ul class="panel people">
      ${members.map(
        (member) => html`
          <li key=${member.id}>
            <div class="person">
              <strong>${member.name}</strong>
              ${member.id === user.value?.id && html`<span class="tag info">${t.people.you}</span>`}
              ${!member.isVerified && html`<span class="tag warn">${t.people.notVerified}</span>`}
              ${member.isDisabled && html`<span class="tag bad">${t.people.disabled}</span>`}
              <p class="small quiet break">${member.email}</p>
              <p class="small">${t.people.roleTexts[member.role]}</p>
            </div>
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
