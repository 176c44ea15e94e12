import { html } from 'htm/preact';
import type { Protocol, SystemOverview } from '../../../../features/systems/schema.ts';
import { api } from '../../app/api.ts';
import { number } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { Dialog } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { PlatformSystemForm } from './system/platform-system-form.ts';

interface Found {
  systems: SystemOverview[];
  protocols: Protocol[];
}

/** The systems over the network that operators can use. */
export default function PlatformSystems() {
  const opened = address.value.query.get('system');
  const loaded = useLoad(async (): Promise<Found> => {
    const [systems, protocols] = await Promise.all([
      api.get<{ data: SystemOverview[] }>('/manage/systems'),
      api.get<{ data: Protocol[] }>('/manage/protocols'),
    ]);
    return { systems: systems.data, protocols: protocols.data };
  }, []);
  const close = () => setQuery({ system: null });
  const saved = async () => {
    close();
    await loaded.reload();
  };
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.systems}</h1>
        <button type="button" class="button primary" onClick=${() => setQuery({ system: 'new' })}>
          <${Icon} name="plus" size=${16} /> ${t.platformSystems.add}
        </button>
        <p>${t.platformSystems.about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ systems, protocols }: Found) => {
          const system = systems.find(({ slug }) => slug === opened);
          return html`
            ${
              systems.length === 0
                ? html`<${Empty} title=${t.platformSystems.none} text=${t.platformSystems.noneText} />`
                : html`<${Table} systems=${systems} />`
            }
            ${
              (system || opened === 'new') &&
              html`<${Dialog}
                title=${system ? t.platformSystems.edit(system.name) : t.platformSystems.add}
                onClose=${close}
              >
                <${PlatformSystemForm} key=${opened} system=${system} protocols=${protocols} onSaved=${saved} />
              <//>`
            }
          `;
        }}
      <//>
    </div>
  `;
}

const Table = ({ systems }: { systems: readonly SystemOverview[] }) => html`
  <div class="table-wrap" tabindex="0" role="region" aria-label=${t.pages.systems}>
    <table>
      <thead>
        <tr>
          <th>${t.common.name}</th>
          <th>${t.platformSystems.slug}</th>
          <th>${t.platformSystems.protocol}</th>
          <th>${t.platformSystems.state}</th>
          <th class="number">${t.platformSystems.operators}</th>
        </tr>
      </thead>
      <tbody>
        ${systems.map(
          ({ slug, name, protocol, isConnected, operators }) => html`
            <tr key=${slug}>
              <td>
                <button type="button" class="link" onClick=${() => setQuery({ system: slug })}>${name}</button>
              </td>
              <td><code>${slug}</code></td>
              <td><code>${protocol}</code></td>
              <td>
                <span class=${`tag ${isConnected ? 'good' : 'bad'}`}>
                  <${Icon} name=${isConnected ? 'check' : 'warning'} size=${14} />
                  ${isConnected ? t.platformSystems.connected : t.platformSystems.notConnected}
                </span>
              </td>
              <td class="number">${number(operators)}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  </div>
`;
