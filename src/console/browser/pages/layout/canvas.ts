import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../app/language.ts';
import { type Place, type Point, SEAT_REACH, snap } from '../../components/floor/geometry.ts';
import { TableShape } from '../../components/floor/table-shape.ts';
import { Handles } from './handles.ts';
import { type Plan, type PlanTable, sizeOfPlan } from './plan.ts';
import { changeTables, moveTables } from './plan-changes.ts';
import { resize, turn } from './transform.ts';

export interface CanvasProps {
  plan: Plan;
  selected: readonly string[];
  /** Centimetres of the plan on one pixel of the screen, inverted: 1 draws a centimetre as a pixel. */
  zoom: number;
  /** Every touch adds to the selection, for those without a keyboard. */
  isAdding: boolean;
  onSelect: (keys: readonly string[]) => void;
  onChange: (plan: Plan) => void;
}

type Drag =
  | { kind: 'move' | 'resize' | 'turn'; from: Point; keys: readonly string[]; start: Plan }
  | { kind: 'frame'; from: Point; to: Point };

const EDGE = 40;

const isInside = (table: PlanTable, one: Point, other: Point) => {
  const [x, y] = [table.x + table.width / 2, table.y + table.height / 2];
  return (
    x > Math.min(one.x, other.x) &&
    x < Math.max(one.x, other.x) &&
    y > Math.min(one.y, other.y) &&
    y < Math.max(one.y, other.y)
  );
};

/** Through the middle of each table, as `points` has it. */
const centresOf = ({ tables }: Plan, keys: readonly string[]) =>
  tables
    .filter(({ key }) => keys.includes(key))
    .map(({ x, y, width, height }) => `${x + width / 2},${y + height / 2}`)
    .join(' ');

function draggedPlan(drag: Exclude<Drag, { kind: 'frame' }>, to: Point, isFine: boolean): Plan {
  const way = { x: to.x - drag.from.x, y: to.y - drag.from.y };
  const [key = ''] = drag.keys;
  const table = drag.start.tables.find((one) => one.key === key);
  if (drag.kind === 'move' || !table) return moveTables(drag.start, drag.keys, snap(way.x), snap(way.y));
  const { x, y, width, height, shape, rotation } = table;
  const place: Place = { x, y, width, height, shape, rotation };
  return changeTables(
    drag.start,
    drag.keys,
    drag.kind === 'turn' ? turn(place, to, isFine) : resize(place, way),
  );
}

/** The room from above. Tables are dragged; a frame drawn around several selects them. */
export function Canvas({ plan, selected, zoom, isAdding, onSelect, onChange }: CanvasProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const [preview, setPreview] = useState<Plan>();
  // It stays the same while something is dragged.
  const size = sizeOfPlan(drag && drag.kind !== 'frame' ? drag.start : plan);
  const shown = preview ?? plan;

  useEffect(() => {
    const giveUp = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setDrag(undefined);
      setPreview(undefined);
    };
    if (!drag) return;
    addEventListener('keydown', giveUp);
    return () => removeEventListener('keydown', giveUp);
  }, [drag !== undefined]);

  const pointOf = (event: PointerEvent): Point => {
    const matrix = svg.current?.getScreenCTM()?.inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return { x, y };
  };
  function begin(event: PointerEvent, kind: 'move' | 'resize' | 'turn', key: string): void {
    if (event.button !== 0) return;
    event.stopPropagation();
    const adds = isAdding || event.shiftKey || event.ctrlKey || event.metaKey;
    const isSelected = selected.includes(key);
    if (kind === 'move' && adds) {
      onSelect(isSelected ? selected.filter((one) => one !== key) : [...selected, key]);
      return;
    }
    const keys = isSelected ? selected : [key];
    if (!isSelected) onSelect(keys);
    svg.current?.setPointerCapture(event.pointerId);
    setDrag({ kind, from: pointOf(event), keys: kind === 'move' ? keys : [key], start: plan });
  }
  function beginFrame(event: PointerEvent): void {
    if (event.button !== 0) return;
    // A finger on empty floor scrolls it.
    if (event.pointerType === 'touch') {
      if (!isAdding) onSelect([]);
      return;
    }
    svg.current?.setPointerCapture(event.pointerId);
    setDrag({ kind: 'frame', from: pointOf(event), to: pointOf(event) });
  }
  function follow(event: PointerEvent): void {
    if (!drag) return;
    const to = pointOf(event);
    if (drag.kind === 'frame') setDrag({ ...drag, to });
    else setPreview(draggedPlan(drag, to, event.shiftKey));
  }
  function end(event: PointerEvent): void {
    if (!drag) return;
    if (drag.kind === 'frame') {
      const inside = plan.tables.filter((table) => isInside(table, drag.from, drag.to)).map(({ key }) => key);
      onSelect(event.shiftKey || isAdding ? [...new Set([...selected, ...inside])] : inside);
    } else if (preview) onChange(preview);
    setDrag(undefined);
    setPreview(undefined);
  }

  const only = selected.length === 1 ? shown.tables.find(({ key }) => key === selected[0]) : undefined;
  const width = size.width + EDGE;
  const height = size.height + EDGE;
  return html`
    <div class="plan-scroll">
      <svg
        ref=${svg}
        class=${drag && drag.kind !== 'frame' ? 'floor plan is-dragging' : 'floor plan'}
        viewBox=${`${-EDGE} ${-EDGE} ${width} ${height}`}
        style=${{ width: `${width * zoom}px`, height: `${height * zoom}px` }}
        role="group"
        aria-label=${t.layout.plan}
        onPointerDown=${beginFrame}
        onPointerMove=${follow}
        onPointerUp=${end}
        onPointerCancel=${() => {
          setDrag(undefined);
          setPreview(undefined);
        }}
      >
        <defs>
          <pattern id="plan-grid" width="50" height="50" patternUnits="userSpaceOnUse">
            <path class="plan-grid-line" d="M50 0H0V50" />
          </pattern>
        </defs>
        <rect class="plan-grid" x="0" y="0" width=${size.width} height=${size.height} fill="url(#plan-grid)" />
        ${shown.combinations.map(
          (combination) =>
            html`<polyline key=${combination.key} class="plan-join" points=${centresOf(shown, combination.tables)} />`,
        )}
        ${shown.tables.map(
          (table) => html`
            <${TableShape}
              key=${table.key}
              name=${table.name}
              covers=${table.maxCovers}
              place=${table}
              state=${table.isActive ? '' : 'inactive'}
              note=${table.isActive ? `${table.minCovers}–${table.maxCovers}` : t.layout.out}
              isSelected=${selected.includes(table.key)}
              role="button"
              tabindex="0"
              aria-pressed=${selected.includes(table.key)}
              data-key=${table.key}
              onPointerDown=${(event: PointerEvent) => begin(event, 'move', table.key)}
            >
              <title>${t.layout.tableSummary(table.name, table.minCovers, table.maxCovers, table.isActive)}</title>
            <//>
          `,
        )}
        ${
          only &&
          html`<${Handles}
            place=${only}
            reach=${SEAT_REACH}
            zoom=${zoom}
            onResize=${(event: PointerEvent) => begin(event, 'resize', only.key)}
            onTurn=${(event: PointerEvent) => begin(event, 'turn', only.key)}
          />`
        }
        ${
          drag?.kind === 'frame' &&
          html`<rect
            class="select-frame"
            x=${Math.min(drag.from.x, drag.to.x)}
            y=${Math.min(drag.from.y, drag.to.y)}
            width=${Math.abs(drag.to.x - drag.from.x)}
            height=${Math.abs(drag.to.y - drag.from.y)}
          />`
        }
      </svg>
    </div>
  `;
}
