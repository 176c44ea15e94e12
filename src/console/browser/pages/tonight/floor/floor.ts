/** The room as it is at a moment: state by table, a slider for the time, waiting parties that are dragged to a table. */
import { html } from 'htm/preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../../app/language.ts';
import { boxAround, proposePlaces } from '../../../components/floor/geometry.ts';
import { TableShape } from '../../../components/floor/table-shape.ts';
import { clockAt, type Diary, type DiaryBooking, guestsOf, QUARTER_MS, type Span } from '../evening.ts';
import type { Held } from '../holds.ts';
import { nameOf } from '../timeline/booking-block.ts';
import { tableStates, waitingAt } from './floor-state.ts';

interface FloorProps {
  diary: Diary;
  holds: readonly Held[];
  span: Span;
  nowMs: number;
  onOpen: (booking: DiaryBooking) => void;
  onCell: (cell: { tableId: number; atMs: number }) => void;
  /** A waiting party was put on a table. */
  onSeat: (booking: DiaryBooking, tableId: number) => void;
}

const MARGIN = 64;

export function Floor({ diary, holds, span, nowMs, onOpen, onCell, onSeat }: FloorProps) {
  const isToday = nowMs >= span.fromMs && nowMs < span.toMs;
  const [chosenMs, setChosen] = useState<number>();
  const [picked, setPicked] = useState<DiaryBooking>();
  const svg = useRef<SVGSVGElement>(null);
  const atMs = chosenMs ?? (isToday ? nowMs : span.fromMs + (span.toMs - span.fromMs) / 2);
  const places = useMemo(() => proposePlaces(diary.areas.map(({ tables }) => tables)), [diary.areas]);
  const box = useMemo(() => boxAround([...places.values()], MARGIN), [places]);
  const states = tableStates(diary, atMs, holds);
  const waiting = waitingAt(diary, atMs);

  const choose = (tableId: number) => {
    const found = states.get(tableId);
    if (picked && !found?.booking) {
      onSeat(picked, tableId);
      setPicked(undefined);
    } else if (found?.booking) onOpen(found.booking);
    else onCell({ tableId, atMs: Math.floor(atMs / QUARTER_MS) * QUARTER_MS });
  };
  /** Dropping a party: the table under the pointer. */
  const drop = (booking: DiaryBooking, event: PointerEvent) => {
    const target = document
      .elementFromPoint(event.clientX, event.clientY)
      ?.closest<SVGElement>('[data-table]');
    if (target) onSeat(booking, Number(target.dataset.table));
    else setPicked(picked?.id === booking.id ? undefined : booking);
  };
  return html`
    <div class="floor-view">
      <div class="floor-time">
        <label for="floor-time">${t.tonight.at(clockAt(atMs, diary.timeZone))}</label>
        <input
          id="floor-time"
          type="range"
          min=${span.fromMs}
          max=${span.toMs}
          step=${QUARTER_MS}
          value=${atMs}
          aria-valuetext=${clockAt(atMs, diary.timeZone)}
          onInput=${(event: Event) => setChosen(Number((event.currentTarget as HTMLInputElement).value))}
        />
        ${isToday && chosenMs !== undefined && html`<button type="button" class="button small" onClick=${() => setChosen(undefined)}>${t.tonight.now}</button>`}
      </div>
      <div class="floor-waiting" aria-label=${t.tonight.waiting}>
        <h2>${t.tonight.waiting}</h2>
        ${waiting.length === 0 && html`<p class="quiet">${t.tonight.nobodyWaits}</p>`}
        ${waiting.map(
          (booking) => html`
            <button
              type="button"
              key=${booking.id}
              class=${`floor-party ${booking.visit.state}`}
              aria-pressed=${picked?.id === booking.id}
              title=${t.tonight.putOnTable}
              onPointerDown=${(event: PointerEvent) => (event.currentTarget as Element).releasePointerCapture?.(event.pointerId)}
              onPointerUp=${(event: PointerEvent) => drop(booking, event)}
              onLostPointerCapture=${() => {}}
              onKeyDown=${(event: KeyboardEvent) => event.key === 'Enter' && setPicked(booking)}
              draggable=${true}
              onDragEnd=${(event: DragEvent) => drop(booking, event as unknown as PointerEvent)}
            >
              <strong>${nameOf(booking)}</strong> ${guestsOf(booking)} · ${booking.time}
            </button>
          `,
        )}
        ${picked && html`<p role="status">${t.tonight.chooseTable(nameOf(picked))}</p>`}
      </div>
      <svg ref=${svg} class="floor" preserveAspectRatio="xMidYMin meet" viewBox=${`${box.x} ${box.y} ${box.width} ${box.height}`} role="group" aria-label=${t.tonight.floor}>
        ${diary.areas.map((area) => {
          const around = boxAround(
            area.tables.flatMap(({ id }) => places.get(id) ?? []),
            30,
          );
          return html`
            <g key=${area.id}>
              <rect class="floor-area" x=${around.x} y=${around.y} width=${around.width} height=${around.height} rx="16" />
              <text class="floor-area-name" x=${around.x + 12} y=${around.y - 8}>${area.name}</text>
            </g>
          `;
        })}
        ${diary.areas.flatMap(({ tables }) =>
          tables.map((table) => {
            const found = states.get(table.id);
            const note = found?.booking
              ? `${nameOf(found.booking)} ${guestsOf(found.booking)}`
              : found?.state === 'blocked'
                ? t.tonight.block
                : found?.next
                  ? found.next.time
                  : '';
            const label = t.tonight.tableLabel(
              table.name,
              t.tonight.tableStates[found?.state ?? 'free'],
              note,
            );
            return html`
              <${TableShape}
                key=${table.id}
                name=${table.name}
                covers=${table.maxCovers}
                place=${places.get(table.id)}
                state=${found?.state ?? 'free'}
                note=${note}
                data-table=${table.id}
                role="button"
                tabindex="0"
                aria-label=${label}
                onClick=${() => choose(table.id)}
                onKeyDown=${(event: KeyboardEvent) => (event.key === 'Enter' || event.key === ' ') && choose(table.id)}
              ><title>${label}</title><//>
            `;
          }),
        )}
      </svg>
    </div>
  `;
}
