import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Invite } from '../../../../features/accounts/schema.ts';
import { act } from '../../app/act.ts';
import { api, path } from '../../app/api.ts';
import { ago } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { address } from '../../app/router.ts';
import { Confirm } from '../dialog.ts';
import { Empty, Loading } from '../notice.ts';
import { Pager } from '../pager.ts';

interface Props {
  /** Address of the invites, for reading, sending and withdrawing. */
  at: string;
  /** Sends the same invite again. */
  bodyOf: (invite: Invite) => object;
  /** What it invites to, such as a role. */
  textOf: (invite: Invite) => string;
  /** Changes when one was sent elsewhere on the page. */
  sent: number;
}

const stateOf = ({ acceptedAt, expiresAt }: Invite) =>
  acceptedAt !== null ? 'accepted' : Date.parse(expiresAt) < Date.now() ? 'expired' : 'open';
const TONES = { accepted: 'good', expired: 'warn', open: 'info' } as const;

/** Open invites can be withdrawn or sent again, which replaces them. */
export function Invites({ at, bodyOf, textOf, sent }: Props) {
  const page = address.value.query.get('invites');
  const loaded = useLoad(
    () => api.get<Page<Invite>>(at, { pageNumber: page, pageSize: 10 }),
    [at, page, sent],
  );
  const [withdrawn, setWithdrawn] = useState<Invite>();
  const again = async (invite: Invite) => {
    await act(() => api.post(at, bodyOf(invite)), t.people.invited(invite.email));
    await loaded.reload();
  };
  const withdraw = async ({ id, email }: Invite) => {
    setWithdrawn(undefined);
    await act(() => api.remove(`${at}${path`/${id}`}`), t.people.withdrawn(email));
    await loaded.reload();
  };
  return html`
    <section class="panel">
      <h2>${t.people.invites}</h2>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Invite>) =>
          data.length === 0
            ? html`<${Empty} title=${t.people.noInvites} text=${t.people.noInvitesText} />`
            : html`
                <ul class="invites">
                  ${data.map(
                    (invite) => html`
                      <${Entry}
                        key=${invite.id}
                        invite=${invite}
                        text=${textOf(invite)}
                        onAgain=${() => again(invite)}
                        onWithdraw=${() => setWithdrawn(invite)}
                      />
                    `,
                  )}
                </ul>
                <${Pager} meta=${meta} name="invites" />
              `}
      <//>
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
    </section>
  `;
}

interface EntryProps {
  invite: Invite;
  text: string;
  onAgain: () => void;
  onWithdraw: () => void;
}

function Entry({ invite, text, onAgain, onWithdraw }: EntryProps) {
  const state = stateOf(invite);
  return html`
    <li>
      <div class="person">
        <span class="break">${invite.email}</span>
        <p class="small quiet">${text} · ${ago(invite.createdAt)}</p>
      </div>
      <span class=${`tag ${TONES[state]}`}>${t.people.states[state]}</span>
      ${
        state !== 'accepted' &&
        html`<button type="button" class="button small" aria-label=${t.people.againTo(invite.email)} onClick=${onAgain}>
          ${t.people.again}
        </button>`
      }
      ${
        state === 'open' &&
        html`<button type="button" class="button small danger" aria-label=${t.people.withdrawOf(invite.email)} onClick=${onWithdraw}>
          ${t.people.withdraw}
        </button>`
      }
    </li>
  `;
}
