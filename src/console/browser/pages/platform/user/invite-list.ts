import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Invite } from '../../../../../features/accounts/schema.ts';
import { act } from '../../../app/act.ts';
import { api, path } from '../../../app/api.ts';
import { ago } from '../../../app/format.ts';
import { t } from '../../../app/language.ts';
import { operators, partners } from '../../../app/places.ts';
import { Confirm } from '../../../components/dialog.ts';
import { Empty } from '../../../components/notice.ts';

const TONES = { accepted: 'good', expired: 'warn', open: 'info' } as const;

const stateOf = ({ acceptedAt, expiresAt }: Invite) =>
  acceptedAt !== null ? 'accepted' : Date.parse(expiresAt) < Date.now() ? 'expired' : 'open';

function placeOf({ isPlatform, operatorId, partnerId, role }: Invite): string {
  if (isPlatform || role === null) return t.frame.platform;
  const places = operatorId === null ? partners.value : operators.value;
  const name = places.find(({ id }) => id === (operatorId ?? partnerId))?.name ?? '';
  return t.users.roleAt(t.common.roles[role], name);
}

interface Props {
  invites: readonly Invite[];
  onChanged: () => Promise<void>;
}

/** Invites of everybody, with where they lead. */
export function InviteList({ invites, onChanged }: Props) {
  const [withdrawn, setWithdrawn] = useState<Invite>();
  const again = async ({ email, operatorId, partnerId, role, isPlatform }: Invite) => {
    const body = { email, operatorId, partnerId, role, isPlatform };
    await act(() => api.post('/manage/invites', body), t.people.invited(email));
    await onChanged();
  };
  const withdraw = async ({ id, email }: Invite) => {
    setWithdrawn(undefined);
    await act(() => api.remove(path`/manage/invites/${id}`), t.people.withdrawn(email));
    await onChanged();
  };
  if (invites.length === 0)
    return html`<${Empty} title=${t.people.noInvites} text=${t.people.noInvitesText} />`;
  return html`
    <ul class="invites">
      ${invites.map((invite) => {
        const state = stateOf(invite);
        return html`
          <li key=${invite.id}>
            <div class="person">
              <span class="break">${invite.email}</span>
              <p class="small quiet">${placeOf(invite)} · ${ago(invite.createdAt)}</p>
            </div>
            <span class=${`tag ${TONES[state]}`}>${t.people.states[state]}</span>
            ${
              state !== 'accepted' &&
              html`<button type="button" class="button small" aria-label=${t.people.againTo(invite.email)} onClick=${() => again(invite)}>
                ${t.people.again}
              </button>`
            }
            ${
              state === 'open' &&
              html`<button
                type="button"
                class="button small danger"
                aria-label=${t.people.withdrawOf(invite.email)}
                onClick=${() => setWithdrawn(invite)}
              >
                ${t.people.withdraw}
              </button>`
            }
          </li>
        `;
      })}
    </ul>
    ${
      withdrawn &&
      html`<${Confirm}
        title=${t.people.withdraw}
        text=${t.people.withdrawText(withdrawn.email)}
        action=${t.people.withdraw}
        onConfirm=${() => withdraw(withdrawn)}
        onClose=${() => setWithdrawn(undefined)}
      />`
    }
  `;
}
