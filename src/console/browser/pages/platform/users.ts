import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { User } from '../../../../features/accounts/schema.ts';
import { act } from '../../app/act.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { operators } from '../../app/places.ts';
import { address } from '../../app/router.ts';
import { Confirm } from '../../components/dialog.ts';
import { EditDialog, type Edited } from '../../components/edit-dialog.ts';
import { Icon } from '../../components/icon.ts';
import { NameFilter } from '../../components/name-filter.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { Inviting } from './user/inviting.ts';
import { NewUser } from './user/new-user.ts';
import { type Opened, UserEntry } from './user/user-entry.ts';
import { UserForm } from './user/user-form.ts';

/** Everyone who can sign in, wherever they work. */
export default function Users() {
  const { query } = address.value;
  const [page, email] = [query.get('page'), query.get('email')];
  const users = useLoad(
    () => api.get<Page<User>>('/manage/users', { pageNumber: page, pageSize: 25, email }),
    [page, email],
  );
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const at = ({ id }: User) => path`/manage/users/${id}`;
  const changed = async () => {
    close();
    await users.reload();
  };
  const remove = async (user: User) => {
    close();
    await act(() => api.remove(at(user)), t.platform.deleted(user.name));
    await users.reload();
  };
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.users}</h1>
        <button type="button" class="button" onClick=${() => setOpened({ kind: 'add' })}>
          <${Icon} name="plus" size=${16} /> ${t.users.add}
        </button>
        <p>${t.users.about}</p>
      </div>
      <${NameFilter} name="email" label=${t.users.find} />
      <${Loading} loaded=${users}>
        ${({ data, meta }: Page<User>) =>
          data.length === 0
            ? html`<${Empty} title=${t.users.none} text=${t.platform.noneFound} />`
            : html`
                <ul class="panel people">
                  ${data.map((user) => html`<${UserEntry} key=${user.id} user=${user} onOpen=${setOpened} onChanged=${() => users.reload()} />`)}
                </ul>
                <${Pager} meta=${meta} />
              `}
      <//>
      <${Inviting} key=${operators.value.length} />
      ${opened?.kind === 'add' && html`<${NewUser} onClose=${close} onSaved=${changed} />`}
      ${
        opened?.kind === 'change' &&
        html`<${EditDialog} title=${opened.user.name} at=${at(opened.user)} onClose=${close}>
          ${(edited: Edited<User>) => html`<${UserForm} ...${edited} at=${at(opened.user)} onClose=${close} onSaved=${changed} />`}
        <//>`
      }
      ${
        opened?.kind === 'delete' &&
        html`<${Confirm}
          title=${t.platform.deleteOf(opened.user.name)}
          text=${t.users.deleteText(opened.user.name, opened.user.email)}
          action=${t.platform.delete}
          onConfirm=${() => remove(opened.user)}
          onClose=${close}
        />`
      }
    </div>
  `;
}
