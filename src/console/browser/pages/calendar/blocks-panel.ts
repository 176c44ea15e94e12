import { html } from 'htm/preact';
import type { Block } from '../../../../features/blocks/schema.ts';
import { api, path } from '../../app/api.ts';
import { addDays, shortDate, todayIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { venue } from '../../app/places.ts';
import { address } from '../../app/router.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';

const DAYS = 28;
const PAGE_SIZE = 20;

/** Tables that are kept free on the coming days. Staff may lift them. */
export function BlocksPanel({ venueId }: { venueId: string }) {
  const all = path`/manage/venues/${venueId}/blocks`;
  const today = todayIn(venue.value?.timeZone);
  const pageNumber = Number(address.value.query.get('blocks') ?? 1);
  const loaded = useLoad(
    () =>
      api.get<Page<Block>>(all, { from: today, to: addDays(today, DAYS), pageSize: PAGE_SIZE, pageNumber }),
    [venueId, pageNumber],
  );
  // A system that keeps its tables itself has no blocks here.
  if (loaded.problem?.errors.venueId) return null;
  const lift = async ({ id, from, to, tableIds, areaIds, zoneIds, reason }: Block) => {
    try {
      await api.remove(`${all}/${id}`);
      await loaded.reload();
      say(t.calendar.lifted, async () => {
        await api.post(all, { from, to, tableIds, areaIds, zoneIds, reason });
        await loaded.reload();
      });
    } catch (error) {
      sayProblem(error);
    }
  };
  const moment = (local: string) => `${shortDate(local.slice(0, 10))}, ${local.slice(11)}`;
  return html`
    <section class="panel">
      <h2>${t.calendar.blocks}</h2>
      <p class="quiet">${t.calendar.blocksText}</p>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Block>) => html`
          ${data.length === 0 && html`<p>${t.calendar.noBlocks}</p>`}
          <ul class="sale-list">
            ${data.map(
              (block) => html`
                <li key=${block.id} class="sale-rule">
                  <div>
                    <p><strong>${t.calendar.range(moment(block.from), moment(block.to))}</strong></p>
                    <p>${block.tables.map(({ name }) => name).join(', ')}</p>
                    ${block.reason && html`<p class="small quiet">${block.reason}</p>`}
                  </div>
                  <button type="button" class="button small" onClick=${() => lift(block)}>${t.calendar.lift}</button>
                </li>
              `,
            )}
          </ul>
          <${Pager} meta=${meta} name="blocks" />
        `}
      <//>
    </section>
  `;
}
