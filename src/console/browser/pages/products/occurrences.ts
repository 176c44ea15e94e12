import { html } from 'htm/preact';
import { clockOfMinute, UNITS } from '../../app/amounts.ts';
import { api, path } from '../../app/api.ts';
import { sayRefusal } from '../../app/document.ts';
import { addDays, longDate, todayIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { say } from '../../app/toasts.ts';
import { CheckField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Loading } from '../../components/notice.ts';
import { Pager } from '../../components/pager.ts';
import { type Occurrence, OccurrenceForm } from './occurrence-form.ts';
import { lengthText } from './summaries.ts';

export interface OccurrencesProps {
  venueId: string;
  mayEdit: boolean;
}

/** When an event takes place: add, change, take off sale. */
export function Occurrences({ venueId, mayEdit }: OccurrencesProps) {
  const { query } = address.value;
  const isAll = query.get('past') === 'yes';
  const pageNumber = Number(query.get('page') ?? 1);
  const list = path`/manage/venues/${venueId}/occurrences`;
  // Yesterday's night may not be over yet.
  const from = isAll ? null : addDays(todayIn(), -1);
  const loaded = useLoad(
    () => api.get<Page<Occurrence>>(list, { pageNumber, pageSize: 20, from }),
    [list, pageNumber, isAll],
  );
  const opened = query.get('time');
  const open = (which: string | number | null) => setQuery({ time: which }, { replace: which === null });

  async function withdraw({ id, hasTickets, isWithdrawn: _, ...times }: Occurrence): Promise<void> {
    try {
      await api.remove(`${list}/${id}`);
      say(t.products.withdrawnNow, async () => {
        if (hasTickets) await api.put(`${list}/${id}`, times);
        else await api.post(list, times);
        await loaded.reload();
      });
      await loaded.reload();
    } catch (error) {
      sayRefusal(error);
    }
  }
  async function sellAgain({ id, hasTickets: _, isWithdrawn: __, ...times }: Occurrence): Promise<void> {
    try {
      await api.put(`${list}/${id}`, times);
      say(t.products.soldAgain, async () => {
        await api.put(`${list}/${id}`, { ...times, isWithdrawn: true });
        await loaded.reload();
      });
      await loaded.reload();
    } catch (error) {
      sayRefusal(error);
    }
  }
  const actions = (occurrence: Occurrence) => html`
    <div class="row">
      <button type="button" class="button small" onClick=${() => open(occurrence.id)}>${t.common.edit}</button>
      ${
        occurrence.isWithdrawn
          ? html`<button type="button" class="button small" onClick=${() => sellAgain(occurrence)}>${t.products.sellAgain}</button>`
          : html`<button type="button" class="button small" onClick=${() => withdraw(occurrence)}>${t.products.withdraw}</button>`
      }
    </div>
  `;

  return html`
    <section class="stack-small">
      <header class="page-head">
        <h2 class="push-end">${t.products.times}</h2>
        <${CheckField} label=${t.products.pastToo} isOn=${isAll} onChange=${(isOn: boolean) => setQuery({ past: isOn ? 'yes' : null, page: null })} />
        ${mayEdit && html`<button type="button" class="button" onClick=${() => open('new')}><${Icon} name="plus" /> ${t.products.addTime}</button>`}
      </header>
      <${Loading} loaded=${loaded}>
        ${({ data, meta }: Page<Occurrence>) => html`
          ${data.length === 0 && html`<p class="panel quiet">${t.products.noTimes}</p>`}
          <ul class="entries">
            ${data.map(
              (occurrence) => html`
                <li class="entry" key=${occurrence.id}>
                  <div class="entry-body">
                    <h3>${longDate(occurrence.date)}, ${clockOfMinute(occurrence.startsMinute)}</h3>
                    <p class="row small">
                      <span class="quiet">${lengthText(occurrence.durationMinutes)}</span>
                      ${occurrence.startsMinute >= UNITS.days && html`<span class="tag">${t.products.nextMorning}</span>`}
                      ${occurrence.isWithdrawn ? html`<span class="tag warn">${t.products.isWithdrawn}</span>` : html`<span class="tag good">${t.products.onSale}</span>`}
                      ${occurrence.hasTickets && html`<span class="tag">${t.products.hasTickets}</span>`}
                    </p>
                  </div>
                  ${mayEdit && actions(occurrence)}
                </li>
              `,
            )}
          </ul>
          <${Pager} meta=${meta} />
          ${
            mayEdit &&
            opened !== null &&
            html`
              <${OccurrenceForm}
                key=${opened}
                list=${list}
                occurrence=${data.find(({ id }) => String(id) === opened)}
                onClose=${() => open(null)}
                onDone=${loaded.reload}
              />
            `
          }
        `}
      <//>
    </section>
  `;
}
