import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ProductStarts } from '../../../../features/bookings/operator/starts-schema.ts';
import { act } from '../../app/act.ts';
import { api, path } from '../../app/api.ts';
import { eveningIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { loadAll } from '../../app/load-all.ts';
import { venue } from '../../app/places.ts';
import { useReorder } from '../../app/reorder.ts';
import type { PageProps } from '../../app/router.ts';
import { address, setQuery } from '../../app/router.ts';
import { productKeyOf } from '../../components/booking/booking-facts.ts';
import { guestName } from '../../components/booking/names.ts';
import { DayPicker } from '../../components/day-picker.ts';
import { Confirm } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { type Entry, listsOf, placingOf } from './entries.ts';
import { EntryRow } from './entry-row.ts';
import { NewEntry } from './new-entry.ts';

/** Offers are made and end by themselves. */
const AGAIN_MS = 15_000;

/** Who waits for a place on a day, in the order in which they get one. */
export default function Waitlist({ params: { venueId = '' } }: PageProps) {
  const timeZone = venue.value?.timeZone;
  const today = eveningIn(timeZone);
  const date = address.value.query.get('date') ?? today;
  const [isAdding, setAdding] = useState(false);
  const all = path`/manage/venues/${venueId}/waitlist`;
  const loaded = useLoad(() => loadAll<Entry>(all, { date }), [all, date]);
  const names = useLoad(() => productNames(venueId, date), [venueId, date]);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && loaded.reload(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [all, date]);
  const add = html`
    <button type="button" class="button primary" onClick=${() => setAdding(true)}><${Icon} name="plus" /> ${t.waitlist.add}</button>
  `;
  return html`
    <div class="page">
      <header class="page-head">
        <h1>${t.pages.waitlist}</h1>
        <${DayPicker} date=${date} today=${today} onChoose=${(day: string) => setQuery({ date: day === today ? null : day }, { replace: false })} />
        ${add}
        <p>${t.waitlist.about}</p>
      </header>
      <${Loading} loaded=${loaded}>
        ${(entries: Entry[]) =>
          entries.length === 0
            ? html`<${Empty} title=${t.waitlist.none} text=${t.waitlist.noneText}>${add}<//>`
            : html`<${Lists} all=${all} entries=${entries} names=${names.data} timeZone=${timeZone} onChanged=${loaded.reload} />`}
      <//>
      ${isAdding && html`<${NewEntry} venueId=${venueId} date=${date} onAdded=${loaded.reload} onClose=${() => setAdding(false)} />`}
    </div>
  `;
}

/** By key. The list works without them. */
async function productNames(venueId: string, date: string): Promise<Map<string, string>> {
  const query = { date, partySize: 2 };
  const found = await api
    .get<{ data: ProductStarts[] }>(path`/manage/venues/${venueId}/starts`, query)
    .catch(() => ({ data: [] }));
  return new Map(found.data.map(({ productKey, name }) => [productKey, name]));
}

interface ListsProps {
  all: string;
  entries: Entry[];
  names: ReadonlyMap<string, string> | undefined;
  timeZone: string | undefined;
  onChanged: () => Promise<void>;
}

function Lists({ all, entries, names, timeZone, onChanged }: ListsProps) {
  const [removing, setRemoving] = useState<Entry>();
  const { offered, waiting, over } = listsOf(entries, Date.now());
  /** Read again also when it was refused: then the list is another than the one on the screen. */
  const write = async (work: () => Promise<unknown>, told: string) => {
    await act(work, told);
    await onChanged();
  };
  const at = ({ id }: { id: string }) => `${all}${path`/${id}`}`;
  const order = useReorder(waiting, (wanted) => {
    const placing = placingOf(waiting, wanted);
    if (placing) write(() => api.patch(at(placing), { before: placing.before }), t.waitlist.ordered);
  });
  const offer = (entry: Entry) =>
    write(() => api.post(`${at(entry)}/offer`), t.waitlist.offeredTo(guestName(entry)));
  const book = (entry: Entry) =>
    write(() => api.post(`${at(entry)}/book`), t.waitlist.bookedFor(guestName(entry)));
  const isMixed = new Set(entries.map(({ compositeId }) => compositeId)).size > 1;
  const common = (entry: Entry) => ({
    key: entry.id,
    entry,
    timeZone,
    productName: isMixed ? names?.get(productKeyOf(entry.compositeId)) : undefined,
  });
  return html`
    ${
      offered.length > 0 &&
      html`
        <section class="panel waiting-list">
          <h2>${t.waitlist.offered} <span class="quiet">${offered.length}</span></h2>
          <ul>
            ${offered.map((entry) => html`<${EntryRow} ...${common(entry)} onBook=${() => book(entry)} onRemove=${() => setRemoving(entry)} />`)}
          </ul>
        </section>
      `
    }
    <section class="panel waiting-list">
      <h2>${t.waitlist.waiting} <span class="quiet">${waiting.length}</span></h2>
      ${waiting.length === 0 && html`<p class="quiet">${t.waitlist.nobody}</p>`}
      <ol data-places>
        ${order.shown.map((entry, index) => {
          const place = { index, count: waiting.length, onMove: order.onMove, onDrop: order.onDrop };
          return html`<${EntryRow} ...${common(entry)} place=${place} onOffer=${() => offer(entry)} onRemove=${() => setRemoving(entry)} />`;
        })}
      </ol>
    </section>
    ${
      over.length > 0 &&
      html`
        <details class="panel waiting-list">
          <summary><h2>${t.waitlist.over} <span class="quiet">${over.length}</span></h2></summary>
          <ul>${over.map((entry) => html`<${EntryRow} ...${common(entry)} />`)}</ul>
        </details>
      `
    }
    ${
      removing &&
      html`<${Confirm}
        title=${t.waitlist.removeTitle(guestName(removing))}
        text=${removing.offer ? t.waitlist.removeOffered : t.waitlist.removeText}
        action=${t.waitlist.remove}
        onClose=${() => setRemoving(undefined)}
        onConfirm=${() => {
          setRemoving(undefined);
          write(() => api.remove(at(removing)), t.waitlist.removed(guestName(removing)));
        }}
      />`
    }
  `;
}
