import { html } from 'htm/preact';
import type { Association, Mapping } from '../../../../../features/partners/schema.ts';
import { path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import type { VenuePlace } from '../../../app/places.ts';
import { setQuery } from '../../../app/router.ts';
import { Icon } from '../../../components/icon.ts';

interface Props {
  venues: readonly VenuePlace[];
  partners: readonly Association[];
  mappings: readonly Mapping[];
}

const keyOf = (partnerId: number, venueId: string) => `${partnerId} ${venueId}`;

/** Venues by partners. Each cell says what may be sold there and opens its terms. */
export function MappingGrid({ venues, partners, mappings }: Props) {
  const byCell = new Map(mappings.map((mapping) => [keyOf(mapping.partnerId, mapping.venueId), mapping]));
  return html`
    <div class="table-wrap" tabindex="0" role="region" aria-label=${t.pages.mappings}>
      <table class="mapping-grid">
        <thead>
          <tr>
            <th scope="col">${t.frame.venue}</th>
            ${partners.map(
              ({ partner, isSuspended }) => html`
                <th key=${partner.id} scope="col">
                  <a href=${path`/console/partners/${partner.id}/venues`}>${partner.name}</a>
                  ${isSuspended && html`<span class="tag warn">${t.associations.suspended}</span>`}
                </th>
              `,
            )}
          </tr>
        </thead>
        <tbody>
          ${venues.map(
            (venue) => html`
              <tr key=${venue.id}>
                <th scope="row">
                  ${venue.name} ${venue.closedAt !== null && html`<span class="tag">${t.mappings.closed}</span>`}
                </th>
                ${partners.map(
                  ({ partner }) => html`
                    <td key=${partner.id}>
                      <${Cell}
                        mapping=${byCell.get(keyOf(partner.id, venue.id))}
                        label=${t.mappings.cell(venue.name, partner.name)}
                        onOpen=${() => setQuery({ partner: partner.id, venue: venue.id }, { replace: false })}
                      />
                    </td>
                  `,
                )}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

function Cell({ mapping, label, onOpen }: { mapping?: Mapping; label: string; onOpen: () => void }) {
  const text = mapping ? t.mappings.products(mapping.productKeys.length) : t.mappings.map;
  return html`
    <button
      type="button"
      class=${mapping ? 'mapping-cell is-mapped' : 'mapping-cell'}
      aria-label=${`${label}: ${text}`}
      onClick=${onOpen}
    >
      <${Icon} name=${mapping ? 'check' : 'plus'} size=${16} />
      <span>${text}</span>
    </button>
  `;
}
