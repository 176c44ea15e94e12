import { html } from 'htm/preact';
import type { Mapping } from '../../../../../features/partners/schema.ts';
import type { ManagedProduct } from '../../../../../features/venues/manage/product-schema.ts';
import { api, path, type Tagged } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';
import { loadAll } from '../../../app/load-all.ts';
import { partners } from '../../../app/places.ts';
import { operatorOf } from '../../../app/session.ts';
import { Dialog } from '../../../components/dialog.ts';
import { Loading } from '../../../components/notice.ts';
import { MappingForm } from './mapping-form.ts';

interface Props {
  partnerId: string;
  venueId: string;
  onClose: () => void;
  onChanged: () => Promise<void>;
}

interface Read {
  mapping: Mapping | null;
  ifMatch: string | null;
  products: ManagedProduct[];
  venueName: string;
}

/** Asks only for a mapping that is there: one that is not would be a failed call. */
async function findMapping(partnerId: string, venueId: string): Promise<Tagged<Mapping> | null> {
  const base = path`/manage/partners/${partnerId}/mappings`;
  const mapped = await loadAll<Mapping>(base, { operatorId: operatorOf(venueId) });
  if (!mapped.some((mapping) => mapping.venueId === venueId)) return null;
  return api.getTagged<Mapping>(`${base}${path`/${venueId}`}`);
}

async function read(partnerId: string, venueId: string): Promise<Read> {
  const [found, products, venue] = await Promise.all([
    findMapping(partnerId, venueId),
    api.get<{ data: ManagedProduct[] }>(path`/manage/venues/${venueId}/products`),
    api.get<{ name: string }>(path`/manage/venues/${venueId}`),
  ]);
  return {
    mapping: found?.data ?? null,
    ifMatch: found?.etag ?? null,
    products: products.data,
    venueName: venue.name,
  };
}

/** What one partner may sell of one venue, and on which terms. */
export function MappingDrawer({ partnerId, venueId, onClose, onChanged }: Props) {
  const at = path`/manage/partners/${partnerId}/mappings/${venueId}`;
  const loaded = useLoad(() => read(partnerId, venueId), [at]);
  const partner = partners.value.find(({ id }) => String(id) === partnerId)?.name ?? '';
  const title = loaded.data ? t.mappings.cell(loaded.data.venueName, partner) : t.pages.mappings;
  return html`
    <${Dialog} kind="drawer" title=${title} onClose=${onClose}>
      <${Loading} loaded=${loaded}>
        ${(data: Read) => html`
          <${MappingForm}
            key=${data.ifMatch}
            ...${data}
            at=${at}
            partner=${partner}
            readAgain=${() => loaded.reload()}
            onClose=${onClose}
            onChanged=${onChanged}
          />
        `}
      <//>
    <//>
  `;
}
