import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { type Place, seatsOf } from './geometry.ts';

export interface TableShapeProps {
  name: string;
  covers: number;
  place: Place;
  /** A class for its state, such as `seated`, `late`, `blocked` or `inactive`; the colours are in 40-floor.css. */
  state?: string;
  /** A second line below the name: state is never told by colour alone. */
  note?: string;
  isSelected?: boolean;
  /** Further parts, drawn around the middle of the table and turned with it. */
  children?: ComponentChildren;
  /** Further attributes of the group, such as `role`, `tabindex`, `aria-label` and handlers. */
  [attribute: string]: unknown;
}

/** Wider texts would touch the neighbours. */
const widthOf = (text: string, size: number) => text.length * size * 0.66;
const sizeOf = (text: string, room: number, most: number) =>
  Math.max(11, Math.min(most, room / Math.max(1, widthOf(text, 1))));

/** One table of a floor plan, inside an `<svg>` whose unit is that of the plan. Its text stays upright. */
export function TableShape({
  name,
  covers,
  place,
  state = '',
  note,
  isSelected = false,
  children,
  ...rest
}: TableShapeProps) {
  const { x, y, width, height, shape, rotation } = place;
  const isUpright = rotation % 180 === 90;
  const room = (isUpright ? height : width) - 12;
  return html`
    <g
      ...${rest}
      class=${`floor-table ${state}${isSelected ? ' is-selected' : ''}`}
      transform=${`translate(${x + width / 2} ${y + height / 2}) rotate(${rotation})`}
    >
      ${seatsOf(covers, place).map((seat, index) => html`<circle key=${index} class="seat" cx=${seat.x} cy=${seat.y} r="9" />`)}
      ${
        shape === 'round'
          ? html`<ellipse class="top" rx=${width / 2} ry=${height / 2} />`
          : html`<rect class="top" x=${-width / 2} y=${-height / 2} width=${width} height=${height} rx="10" />`
      }
      <g transform=${`rotate(${-rotation})`}>
        <text class="name" y=${note ? -10 : 0} style=${{ fontSize: `${sizeOf(name, room, 24)}px` }}>${name}</text>
        ${note && html`<text class="note" y="14" style=${{ fontSize: `${sizeOf(note, room, 18)}px` }}>${note}</text>`}
      </g>
      ${children}
    </g>
  `;
}
