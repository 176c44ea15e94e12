import { html } from 'htm/preact';
import type { Place } from '../../components/floor/geometry.ts';

export interface HandlesProps {
  place: Place;
  /** How far chairs reach. */
  reach: number;
  zoom: number;
  onResize: (event: PointerEvent) => void;
  onTurn: (event: PointerEvent) => void;
}

/** Pixels on the screen: drawn small, caught within what a finger needs. */
const DRAWN = 7;
const CAUGHT = 22;

/** Two handles for the pointer. The fields beside the plan do the same for those who use none. */
export function Handles({ place, reach, zoom, onResize, onTurn }: HandlesProps) {
  const { x, y, width, height, rotation } = place;
  const handle = (
    kind: string,
    atX: number,
    atY: number,
    onPointerDown: (event: PointerEvent) => void,
  ) => html`
    <g class=${`plan-handle ${kind}`} onPointerDown=${onPointerDown} aria-hidden="true">
      <circle class="plan-catch" cx=${atX} cy=${atY} r=${CAUGHT / zoom} />
      <circle class="plan-dot" cx=${atX} cy=${atY} r=${DRAWN / zoom} />
    </g>
  `;
  const above = -height / 2 - reach - 28 / zoom;
  return html`
    <g transform=${`translate(${x + width / 2} ${y + height / 2}) rotate(${rotation})`}>
      <path class="plan-handle-line" d=${`M0 ${-height / 2}V${above}`} />
      ${handle('turn', 0, above, onTurn)}
      ${handle('resize', width / 2 + reach, height / 2 + reach, onResize)}
    </g>
  `;
}
