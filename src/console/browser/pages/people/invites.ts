import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Invite } from '../../../../features/accounts/schema.ts';
import { api, path } from '../../app/api.ts';
import { ago } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Confirm } from '../../components/dialog.ts';
import { Empty } from '../../components/notice.ts';

export interface InvitesProps {
  base: string;
  invites: readonly Invite[];
  onChanged: () => Promise<void>;
}

const stateOf = ({ acceptedAt, expiresAt }: Invite) =>
  acceptedAt !== null ? 'accepted' : Date.parse(expiresAt) < Date.now() ? 'expired' : 'open';
const TONES = { accepted: 'good', expired: 'warn', open: 'info' } as const;

/** Open invites can be withdrawn or sent again, which replaces them. */
export function Invites({ base, invites, onChanged }: InvitesProps) {
  const [withdrawn, setWithdrawn] = useState<Invite>();
  const run = async (action: () => Promise<unknown>, told: string) => {
    setWithdrawn(undefined);
    try {
      await action();
      say(told);
    } catch (error) {
      sayProblem(error);
    }
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
              <p class="small quiet">${invite.role && t.common.roles[invite.role]} · ${ago(invite.createdAt)}</p>
            </div>
            <span class=${`tag ${TONES[state]}`}>${t.people.states[state]}</span>
            ${
              state !== 'accepted' &&
              html`<button
                type="button"
                class="button small"
                aria-label=${t.people.againTo(invite.email)}
                onClick=${() =>
                  run(
                    () => api.post(`${base}/invites`, { email: invite.email, role: invite.role }),
                    t.people.invited(invite.email),
                  )}
              >
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
        onConfirm=${() =>
          run(
            () => api.remove(`${base}${path`/invites/${withdrawn.id}`}`),
            t.people.withdrawn(withdrawn.email),
          )}
        onClose=${() => setWithdrawn(undefined)}
      />`
    }
  `;
}
