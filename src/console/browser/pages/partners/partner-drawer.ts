import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Association, Mapping } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { venues } from '../../app/places.ts';
import { isPlatform } from '../../app/session.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Confirm, Dialog } from '../../components/dialog.ts';
import { Empty, Loading } from '../../components/notice.ts';

export interface PartnerDrawerProps {
  base: string;
  partnerId: string;
  onClose: () => void;
  onEnded: () => Promise<void>;
}

const MOST_SHOWN = 100;

/** What one partner may sell, venue by venue. The platform sets it, on the page of mappings. */
export function PartnerDrawer({ base, partnerId, onClose, onEnded }: PartnerDrawerProps) {
  const [isEnding, setEnding] = useState(false);
  const at = `${base}${path`/partners/${partnerId}`}`;
  const loaded = useLoad(async () => {
    const [association, mappings] = await Promise.all([
      api.getTagged<Association>(at),
      api.get<Page<Mapping>>(`${at}/mappings`, { pageSize: MOST_SHOWN }),
    ]);
    return { association, mappings };
  }, [at]);
  const end = async (ifMatch: string | null) => {
    try {
      await api.remove(at, { ifMatch });
      say(t.operatorPartners.ended);
      onClose();
      await onEnded();
    } catch (error) {
      setEnding(false);
      sayProblem(error);
    }
  };
  const name = loaded.data?.association.data.partner.name ?? '';
  return html`
    <${Dialog} kind="drawer" title=${name || t.pages.partners} onClose=${onClose}>
      <${Loading} loaded=${loaded}>
        ${({ mappings }: { mappings: Page<Mapping> }) => html`
          <h3>${t.operatorPartners.maySell}</h3>
          ${
            mappings.data.length === 0 &&
            html`<${Empty} title=${t.operatorPartners.nothing} text=${t.operatorPartners.nothingText} />`
          }
          <ul class="mappings">
            ${mappings.data.map((mapping) => html`<${Terms} key=${mapping.venueId} mapping=${mapping} />`)}
          </ul>
          <${NotSold} mappings=${mappings} />
          ${
            mappings.meta.totalItems > mappings.data.length &&
            html`<p class="quiet">${t.operatorPartners.more(mappings.meta.totalItems - mappings.data.length)}</p>`
          }
          ${
            isPlatform.value &&
            html`
              <footer class="dialog-foot">
                <a class="button" href=${`/console/platform/mappings?partner=${partnerId}`}>${t.pages.mappings}</a>
                <button type="button" class="button danger" onClick=${() => setEnding(true)}>
                  ${t.operatorPartners.end}
                </button>
              </footer>
            `
          }
        `}
      <//>
      ${
        isEnding &&
        html`<${Confirm}
          title=${t.operatorPartners.end}
          text=${t.operatorPartners.endText(name, loaded.data?.mappings.meta.totalItems ?? 0)}
          action=${t.operatorPartners.end}
          onConfirm=${() => end(loaded.data?.association.etag ?? null)}
          onClose=${() => setEnding(false)}
        />`
      }
    <//>
  `;
}

/** A venue that is missing here is not for sale, which its owner may not expect. */
function NotSold({ mappings: { data, meta } }: { mappings: Page<Mapping> }) {
  const sold = new Set(data.map(({ venueId }) => venueId));
  const others = venues.value.filter(({ id, closedAt }) => closedAt === null && !sold.has(id));
  if (data.length === 0 || others.length === 0 || meta.totalItems > data.length) return null;
  return html`<p class="quiet">${t.operatorPartners.notSold(others.map(({ name }) => name).join(', '))}</p>`;
}

const Terms = ({ mapping }: { mapping: Mapping }) => {
  const { venueId, productKeys, maxPartySize, isRequestOnly, guestMails, deposit, company } = mapping;
  return html`
    <li>
      <strong>${venues.value.find(({ id }) => id === venueId)?.name ?? venueId}</strong>
      <p>${productKeys.join(', ') || t.operatorPartners.noProducts}</p>
      <p class="small quiet">
        ${[
          isRequestOnly ? t.operatorPartners.onlyEnquiries : t.operatorPartners.booksAtOnce,
          maxPartySize === null ? t.operatorPartners.anySize : t.operatorPartners.upTo(maxPartySize),
          t.operatorPartners.mails[guestMails],
          deposit === 'declared' ? undefined : t.operatorPartners.depositFirst,
          company.mode === 'none' ? undefined : t.operatorPartners.companies(company.names.length),
        ]
          .filter((text) => text !== undefined)
          .join(' · ')}
      </p>
    </li>
  `;
};
