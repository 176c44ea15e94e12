import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Layout } from '../../../../features/layout/schema.ts';
import { t } from '../../app/language.ts';
import { guardLeaving } from '../../app/router.ts';
import { clamp, GRID } from '../../components/floor/geometry.ts';
import { Empty } from '../../components/notice.ts';
import { AreasPanel } from './areas-panel.ts';
import { Canvas } from './canvas.ts';
import { CombinationsPanel } from './combinations-panel.ts';
import { record, redo, startHistory, undo } from './edit-history.ts';
import { countUnplaced, type Plan, planOf, sizeOfPlan } from './plan.ts';
import {
  addTable,
  duplicateTables,
  firstRoom,
  joinTables,
  moveTables,
  removeTables,
} from './plan-changes.ts';
import { SaveBar } from './save-bar.ts';
import { TablePanel } from './table-panel.ts';
import { Toolbar } from './toolbar.ts';

export interface EditorProps {
  venueId: string;
  layout: Layout;
  etag: string | null;
  onSaved: () => Promise<void>;
}

const WAYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const LARGE_STEP = 5;
const ZOOMS = [0.35, 0.5, 0.65, 0.8, 1, 1.25, 1.6];
/** What lies beside the plan on a wide screen, and on others. */
const BESIDE = { wide: 640, medium: 290, small: 34 };
/** The whole width of the room, unless tables were too small to be touched. */
function fittingZoom(plan: Plan): number {
  const beside = innerWidth >= 1300 ? BESIDE.wide : innerWidth >= 1100 ? BESIDE.medium : BESIDE.small;
  return clamp((innerWidth - beside) / (sizeOfPlan(plan).width + 40), 0.5, 1);
}
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);

export function Editor({ venueId, layout, etag, onSaved }: EditorProps) {
  const [history, setHistory] = useState(() => startHistory(planOf(layout)));
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [isAdding, setAdding] = useState(false);
  const plan = history.present;
  const [zoom, setZoom] = useState(() => fittingZoom(plan));
  const unplaced = countUnplaced(layout);
  const isChanged = history.past.length > 0 || unplaced > 0;

  useEffect(() => {
    // Proposed places alone are no work that could be lost.
    guardLeaving(history.past.length > 0 ? () => !confirm(t.common.unsaved) : undefined);
    return () => guardLeaving(undefined);
  }, [history.past.length > 0]);

  const change = (next: Plan, about: string | null = null) => setHistory((now) => record(now, next, about));
  const step = (way: typeof undo) => {
    setHistory((now) => way(now));
    setSelected([]);
  };
  const remove = () => {
    change(removeTables(plan, selected));
    setSelected([]);
  };
  const add = ({ plan: next, keys }: { plan: Plan; keys: readonly string[] }) => {
    change(next);
    setSelected(keys);
  };

  function onKey(event: KeyboardEvent): void {
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    const focused = (event.target as Element).closest?.('[data-key]')?.getAttribute('data-key');
    const keys = selected.length > 0 || !focused ? selected : [focused];
    const isCommand = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    const way = WAYS[event.key];
    if (isCommand && letter === 'z') step(event.shiftKey ? redo : undo);
    else if (isCommand && letter === 'y') step(redo);
    else if (isCommand && letter === 'd' && keys.length > 0) add(duplicateTables(plan, keys));
    else if (isCommand || event.altKey) return;
    else if ((event.key === 'Enter' || event.key === ' ') && focused) {
      const others = selected.filter((key) => key !== focused);
      setSelected(
        event.shiftKey || isAdding
          ? others.length < selected.length
            ? others
            : [...others, focused]
          : [focused],
      );
    } else if (event.key === 'Escape' && selected.length > 0) setSelected([]);
    else if ((event.key === 'Delete' || event.key === 'Backspace') && selected.length > 0) remove();
    else if (way && keys.length > 0) {
      const far = GRID * (event.shiftKey ? LARGE_STEP : 1);
      setSelected(keys);
      change(moveTables(plan, keys, way[0] * far, way[1] * far), `move ${keys.join()}`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  // The listener is added once and always runs what was rendered last.
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latest.current(event);
    addEventListener('keydown', listener, true);
    return () => removeEventListener('keydown', listener, true);
  }, []);

  const saveBar = html`<${SaveBar}
    venueId=${venueId}
    plan=${plan}
    etag=${etag}
    isChanged=${isChanged}
    onSaved=${onSaved}
    onDiscard=${() => setHistory(startHistory(planOf(layout)))}
  />`;
  if (plan.areas.length === 0 && plan.zones.length === 0) {
    return html`
      <${Empty} title=${t.layout.empty} text=${t.layout.emptyText}>
        <button type="button" class="button primary" onClick=${() => {
          const room = firstRoom(t.layout.firstZone, t.layout.firstArea);
          add(addTable(room, room.areas[0]?.key ?? ''));
        }}>
          ${t.layout.begin}
        </button>
      <//>
      ${isChanged && saveBar}
    `;
  }
  const zoomBy = (way: number) => {
    const next = way > 0 ? ZOOMS.find((one) => one > zoom) : ZOOMS.findLast((one) => one < zoom);
    setZoom(next ?? zoom);
  };
  return html`
    ${saveBar}
    ${unplaced > 0 && html`<p class="notice">${t.layout.proposed(unplaced)}</p>`}
    <div class="plan-editor">
      <div class="plan-room">
        <${Toolbar}
          plan=${plan}
          selected=${selected}
          isAdding=${isAdding}
          onAdding=${() => setAdding(!isAdding)}
          canUndo=${history.past.length > 0}
          canRedo=${history.future.length > 0}
          onUndo=${() => step(undo)}
          onRedo=${() => step(redo)}
          onAdd=${(area: string) => add(addTable(plan, area))}
          onDuplicate=${() => add(duplicateTables(plan, selected))}
          onRemove=${remove}
          onJoin=${() => change(joinTables(plan, selected))}
          onZoom=${zoomBy}
        />
        <${Canvas} plan=${plan} selected=${selected} zoom=${zoom} isAdding=${isAdding} onSelect=${setSelected} onChange=${change} />
        <p class="quiet small plan-keys">${t.layout.keys}</p>
      </div>
      <div class="plan-side">
        <${TablePanel} plan=${plan} selected=${selected} onChange=${change} />
        <${CombinationsPanel} plan=${plan} selected=${selected} onSelect=${setSelected} onChange=${change} />
        <${AreasPanel} plan=${plan} selected=${selected} onSelect=${setSelected} onChange=${change} onAdd=${add} />
      </div>
    </div>
  `;
}
