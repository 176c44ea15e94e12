import { html } from 'htm/preact';
import type { User } from '../../../../../features/accounts/schema.ts';
import { act } from '../../../app/act.ts';
import { api, path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { operators } from '../../../app/places.ts';
import { user as self } from '../../../app/session.ts';
import { CheckField } from '../../../components/field.ts';
import { Person } from '../../../components/people/person.ts';

/** The form that is open over the list. */
export type Opened = { kind: 'add' } | { kind: 'change' | 'delete'; user: User };

interface Props {
  user: User;
  onOpen: (opened: Opened) => void;
  onChanged: () => Promise<void>;
}

/** One person: where they work, whether they can sign in. */
export function UserEntry({ user, onOpen, onChanged }: Props) {
  const isSelf = user.id === self.value?.id;
  const at = path`/manage/users/${user.id}`;
  const put = (isDisabled: boolean) => {
    const { name, email, isPlatform } = user;
    return api.put(at, { name, email, isPlatform, isDisabled });
  };
  const setDisabled = async (isDisabled: boolean) => {
    const undo = async () => {
      await put(!isDisabled);
      await onChanged();
    };
    await act(
      () => put(isDisabled),
      isDisabled ? t.users.switchedOff(user.name) : t.users.switchedOn(user.name),
      undo,
    );
    await onChanged();
  };
  const operatorName = (id: number) =>
    operators.value.find((operator) => operator.id === id)?.name ?? String(id);
  return html`
    <li>
      <${Person} person=${user}>
        <ul class="links small">
          ${user.roles.map(
            ({ operatorId, role }) => html`
              <li key=${operatorId}>
                <a href=${path`/console/operators/${operatorId}/people`}>${t.users.roleAt(t.common.roles[role], operatorName(operatorId))}</a>
              </li>
            `,
          )}
          ${user.partners.map(
            ({ partnerId, name, role }) => html`
              <li key=${partnerId}>
                <a href=${path`/console/partners/${partnerId}/people`}>${t.users.roleAt(t.common.roles[role], name)}</a>
              </li>
            `,
          )}
        </ul>
      <//>
      ${
        !isSelf &&
        html`<${CheckField}
          kind="switch"
          label=${t.users.maySignIn}
          isOn=${!user.isDisabled}
          onChange=${(isOn: boolean) => setDisabled(!isOn)}
        />`
      }
      <div class="row">
      <button
        type="button"
        class="button small"
        aria-label=${t.users.changeOf(user.name)}
        onClick=${() => onOpen({ kind: 'change', user })}
      >
        ${t.common.edit}
      </button>
      ${
        !isSelf &&
        html`<button
          type="button"
          class="button small danger"
          aria-label=${t.platform.deleteOf(user.name)}
          onClick=${() => onOpen({ kind: 'delete', user })}
        >
          ${t.platform.delete}
        </button>`
      }
      </div>
    </li>
  `;
}
