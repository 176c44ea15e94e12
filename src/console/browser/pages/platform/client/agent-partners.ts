import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { act } from '../../../app/act.ts';
import { api, path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';
import { loadAll } from '../../../app/load-all.ts';
import { type PartnerPlace, partners } from '../../../app/places.ts';
import { SelectField } from '../../../components/field.ts';
import { Loading } from '../../../components/notice.ts';

/** For whom an agent may act. */
export function AgentPartners({ base }: { base: string }) {
  const loaded = useLoad(() => loadAll<PartnerPlace>(base), [base]);
  const [chosen, setChosen] = useState('');
  const add = async () => {
    if (await act(() => api.post(base, { partnerId: Number(chosen) }))) setChosen('');
    await loaded.reload();
  };
  const remove = async ({ id, name }: PartnerPlace) => {
    const undo = async () => {
      await api.post(base, { partnerId: id });
      await loaded.reload();
    };
    await act(() => api.remove(`${base}${path`/${id}`}`), t.clients.partnerRemoved(name), undo);
    await loaded.reload();
  };
  return html`
    <section class="form">
      <h3>${t.clients.actsFor}</h3>
      <${Loading} loaded=${loaded}>
        ${(data: PartnerPlace[]) => html`
          ${data.length === 0 && html`<p class="quiet">${t.clients.actsForNone}</p>`}
          <ul class="invites">
            ${data.map(
              (partner) => html`
                <li key=${partner.id}>
                  <span class="person">${partner.name}</span>
                  <button
                    type="button"
                    class="button small"
                    aria-label=${t.clients.removePartner(partner.name)}
                    onClick=${() => remove(partner)}
                  >
                    ${t.common.remove}
                  </button>
                </li>
              `,
            )}
          </ul>
          <div class="find">
            <${SelectField}
              label=${t.clients.addPartner}
              value=${chosen}
              choices=${[
                { value: '', label: t.frame.choosePartner },
                ...partners.value
                  .filter(({ id }) => !data.some((partner) => partner.id === id))
                  .map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              onChange=${setChosen}
            />
            <button type="button" class="button" disabled=${chosen === ''} onClick=${add}>${t.common.add}</button>
          </div>
        `}
      <//>
    </section>
  `;
}
