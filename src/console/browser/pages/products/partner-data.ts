import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Venue } from '../../../../features/venues/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { Loading } from '../../components/notice.ts';

export interface PartnerDataProps {
  venueId: string;
  compositeId: string;
}

/** The product as the programs of partners are given it now: for those who answer their questions. */
export function PartnerData(props: PartnerDataProps) {
  const [isOpen, setOpen] = useState(false);
  return html`
    <details class="more" onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>${t.products.partnerData}</summary>
      ${isOpen && html`<${Data} ...${props} />`}
    </details>
  `;
}

function Data({ venueId, compositeId }: PartnerDataProps) {
  const preview = useLoad(
    () => api.get<Venue>(path`/manage/venues/${venueId}/preview`),
    [venueId, compositeId],
  );
  return html`
    <${Loading} loaded=${preview}>
      ${({ products }: Venue) => {
        const product = products.find((each) => each.compositeId === compositeId);
        return html`<pre tabindex="0">${JSON.stringify(product, null, 2)}</pre>`;
      }}
    <//>
  `;
}
