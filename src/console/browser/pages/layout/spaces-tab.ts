import { html } from 'htm/preact';
import type { Layout } from '../../../../features/layout/schema.ts';
import type { ManagedSpace } from '../../../../features/layout/space-schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { may, operatorOf } from '../../app/session.ts';
import { Dialog } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { SpaceForm } from './space-form.ts';
import { CAPACITY_LAYOUTS } from './space-values.ts';
import { SpendOverrides } from './spend-overrides.ts';

interface Read {
  spaces: readonly ManagedSpace[];
  zones: Layout['zones'];
}

/** Rooms that are booked as such. */
export function SpacesTab({ venueId }: { venueId: string }) {
  const isManager = may(operatorOf(venueId), 'manager');
  const loaded = useLoad<Read>(async () => {
    const [{ data: spaces }, { zones }] = await Promise.all([
      api.get<{ data: ManagedSpace[] }>(path`/manage/venues/${venueId}/spaces`),
      // Other systems than `house` have no zones.
      api.get<Layout>(path`/manage/venues/${venueId}/layout`).catch(() => ({ zones: [] })),
    ]);
    return { spaces, zones };
  }, [venueId]);
  const chosen = address.value.query.get('space');
  const open = (space: string | number | null) => setQuery({ space }, { replace: false });
  const add = html`
    <button type="button" class="button primary" onClick=${() => open('new')}><${Icon} name="plus" /> ${t.layout.addSpace}</button>
  `;
  const guestsOf = ({ capacities }: ManagedSpace) =>
    CAPACITY_LAYOUTS.flatMap((layout) => {
      const capacity = capacities[layout];
      return capacity
        ? [t.layout.capacityOf(t.layout.capacityLayouts[layout], capacity.min, capacity.max)]
        : [];
    }).join(', ');
  return html`
    <${Loading} loaded=${loaded}>
      ${({ spaces, zones }: Read) => {
        const space = spaces.find(({ id }) => String(id) === chosen);
        const after = async () => {
          await loaded.reload();
          open(null);
        };
        return html`
          <div class="row spaces-head"><p class="quiet">${t.layout.spacesText}</p>${isManager && spaces.length > 0 && add}</div>
          ${spaces.length === 0 && html`<${Empty} title=${t.layout.noSpaces} text=${t.layout.noSpacesText}>${isManager && add}<//>`}
          ${
            spaces.length > 0 &&
            html`<div class="table-wrap">
              <table>
                <thead>
                  <tr><th>${t.common.name}</th><th>${t.layout.where}</th><th>${t.layout.guests}</th><th>${t.layout.zone}</th></tr>
                </thead>
                <tbody>
                  ${spaces.map(
                    (one) => html`
                      <tr key=${one.id}>
                        <td><button type="button" class="text-link" onClick=${() => open(one.id)}>${one.name}</button></td>
                        <td>${one.floorLocation}</td>
                        <td>${guestsOf(one)}</td>
                        <td>${zones.find(({ id }) => id === one.zoneIds[0])?.name}</td>
                      </tr>
                    `,
                  )}
                </tbody>
              </table>
            </div>`
          }
          ${
            (space || (chosen === 'new' && isManager)) &&
            html`<${Dialog} kind="drawer" title=${space?.name ?? t.layout.addSpace} onClose=${() => open(null)}>
              <${SpaceForm} key=${space?.id} venueId=${venueId} space=${space} zones=${zones} isManager=${isManager} onDone=${after} />
              ${space && html`<${SpendOverrides} venueId=${venueId} spaceId=${space.id} isManager=${isManager} />`}
            <//>`
          }
        `;
      }}
    <//>
  `;
}
