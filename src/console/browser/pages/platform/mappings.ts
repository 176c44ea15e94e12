import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Association, Mapping } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { loadAll } from '../../app/load-all.ts';
import { loadVenues, operators, type VenuePlace } from '../../app/places.ts';
import { address, setQuery } from '../../app/router.ts';
import { SelectField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { AssociationDialog } from './mapping/association-dialog.ts';
import { MappingDrawer } from './mapping/mapping-drawer.ts';
import { MappingGrid } from './mapping/mapping-grid.ts';

const PARTNERS_ON_A_PAGE = 8;

interface Grid {
  venues: readonly VenuePlace[];
  associations: Page<Association>;
  mappings: Mapping[];
}

async function readGrid(operatorId: number, page: string | null): Promise<Grid> {
  const query = { pageNumber: page, pageSize: PARTNERS_ON_A_PAGE };
  const [venues, associations] = await Promise.all([
    loadVenues(operatorId, true),
    api.get<Page<Association>>(path`/manage/operators/${operatorId}/partners`, query),
  ]);
  const mappings = await Promise.all(
    associations.data.map(({ partner }) =>
      loadAll<Mapping>(path`/manage/partners/${partner.id}/mappings`, { operatorId }),
    ),
  );
  return { venues, associations, mappings: mappings.flat() };
}

/** Which partner may sell which venue: venues of one operator by the partners that it deals with. */
export default function Mappings() {
  const { query } = address.value;
  const operatorId = Number(query.get('operator') ?? operators.value[0]?.id ?? 0);
  const [page, partner, venue] = [query.get('page'), query.get('partner'), query.get('venue')];
  const [isAdding, setAdding] = useState(false);
  const loaded = useLoad<Grid | null>(
    async () => (operatorId === 0 ? null : readGrid(operatorId, page)),
    [operatorId, page],
  );
  const add = html`
    <button type="button" class="button" onClick=${() => setAdding(true)}>
      <${Icon} name="plus" size=${16} /> ${t.associations.add}
    </button>
  `;
  return html`
    <div class="page whole">
      <div class="page-head">
        <h1>${t.pages.mappings}</h1>
        ${operatorId !== 0 && add}
        <p>${t.mappings.about}</p>
      </div>
      <div class="find">
        <${SelectField}
          label=${t.frame.operator}
          value=${String(operatorId)}
          choices=${operators.value.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange=${(operator: string) => setQuery({ operator, page: null, partner: null, venue: null })}
        />
      </div>
      <${Loading} loaded=${loaded}>
        ${(grid: Grid | null) => {
          if (!grid) return html`<${Empty} title=${t.operators.none} text=${t.operators.noneText} />`;
          if (grid.venues.length === 0)
            return html`<${Empty} title=${t.mappings.noVenues} text=${t.mappings.noVenuesText} />`;
          if (grid.associations.data.length === 0)
            return html`<${Empty} title=${t.associations.none} text=${t.associations.noneText}>${add}<//>`;
          return html`
            <${MappingGrid} ...${grid} partners=${grid.associations.data} />
            <${Pager} meta=${grid.associations.meta} />
          `;
        }}
      <//>
      ${
        isAdding &&
        html`<${AssociationDialog}
          operatorId=${operatorId}
          onClose=${() => setAdding(false)}
          onSaved=${() => loaded.reload()}
        />`
      }
      ${
        partner !== null &&
        venue !== null &&
        html`<${MappingDrawer}
          partnerId=${partner}
          venueId=${venue}
          onClose=${() => setQuery({ partner: null, venue: null })}
          onChanged=${() => loaded.reload()}
        />`
      }
    </div>
  `;
}
