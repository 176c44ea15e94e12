import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ClientSecret, NewClientSecret } from '../../../../features/clients/schema.ts';
import { act } from '../../app/act.ts';
import { api, path } from '../../app/api.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { Confirm } from '../dialog.ts';
import { Loading } from '../notice.ts';
import { RotateDialog } from './rotate-dialog.ts';

/** Those of a client, the newest first: `base` is such as `/manage/clients/acme/secrets`. */
export function Secrets({ base }: { base: string }) {
  const loaded = useLoad(() => api.get<{ data: ClientSecret[] }>(base), [base]);
  const [opened, setOpened] = useState<'rotate' | ClientSecret>();
  const close = () => setOpened(undefined);
  const remove = async (secret: ClientSecret) => {
    close();
    await act(() => api.remove(`${base}${path`/${secret.id}`}`), t.clients.secretDeleted);
    await loaded.reload();
  };
  const make = (body: object) => api.post<NewClientSecret>(base, body);
  return html`
    <section class="form">
      <div class="row">
        <h3>${t.clients.secrets}</h3>
        <button type="button" class="button small" onClick=${() => setOpened('rotate')}>${t.clients.rotate}</button>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ data }: { data: ClientSecret[] }) => html`<${List} secrets=${data} onDelete=${setOpened} />`}
      <//>
      ${opened === 'rotate' && html`<${RotateDialog} make=${make} onMade=${() => loaded.reload()} onClose=${close} />`}
      ${
        opened !== undefined &&
        opened !== 'rotate' &&
        html`<${Confirm}
          title=${t.clients.deleteSecret}
          text=${t.clients.deleteSecretText(momentOf(opened.createdAt))}
          action=${t.platform.delete}
          onConfirm=${() => remove(opened)}
          onClose=${close}
        />`
      }
    </section>
  `;
}

function List({
  secrets,
  onDelete,
}: {
  secrets: readonly ClientSecret[];
  onDelete: (secret: ClientSecret) => void;
}) {
  const sorted = secrets.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  if (sorted.length === 0) return html`<p class="notice warn">${t.clients.noSecrets}</p>`;
  return html`
    ${sorted.length > 1 && html`<p class="notice">${t.clients.finishRotation}</p>`}
    <ul class="invites">
      ${sorted.map(
        (secret, index) => html`
          <li key=${secret.id}>
            <div class="person">
              <span>${t.clients.madeAt(momentOf(secret.createdAt))}</span>
              ${index === 0 && sorted.length > 1 && html`<span class="tag good">${t.clients.newest}</span>`}
              <p class="small quiet">${secret.expiresAt === null ? t.clients.noEnd : t.clients.endsAt(momentOf(secret.expiresAt))}</p>
            </div>
            <button type="button" class="button small danger" aria-label=${t.clients.deleteSecretOf(momentOf(secret.createdAt))} onClick=${() => onDelete(secret)}>
              ${t.platform.delete}
            </button>
          </li>
        `,
      )}
    </ul>
  `;
}
