/** What dragging a handle makes of the place of a table. */
import { clamp, FARTHEST, GRID, type Place, type Point, snap } from '../../components/floor/geometry.ts';

const SMALLEST = 3 * GRID;
const TURN = 15;

const rotate = ({ x, y }: Point, degrees: number): Point => {
  const angle = (degrees * Math.PI) / 180;
  return {
    x: x * Math.cos(angle) - y * Math.sin(angle),
    y: x * Math.sin(angle) + y * Math.cos(angle),
  };
};

const middleOf = ({ x, y, width, height }: Place): Point => ({ x: x + width / 2, y: y + height / 2 });

/** The lower right corner of the table, as it stands, is pulled by `way`; the opposite one stays where it is. */
export function resize(place: Place, way: Point): Place {
  const pulled = rotate(way, -place.rotation);
  const width = clamp(snap(place.width + pulled.x), SMALLEST, FARTHEST);
  const height = clamp(snap(place.height + pulled.y), SMALLEST, FARTHEST);
  const shift = rotate({ x: (width - place.width) / 2, y: (height - place.height) / 2 }, place.rotation);
  const middle = middleOf(place);
  return {
    ...place,
    width,
    height,
    x: clamp(Math.round(middle.x + shift.x - width / 2), 0, FARTHEST),
    y: clamp(Math.round(middle.y + shift.y - height / 2), 0, FARTHEST),
  };
}

/** The handle above the table is pulled to `pointer`. */
export function turn(place: Place, pointer: Point, isFine = false): Place {
  const middle = middleOf(place);
  const degrees = (Math.atan2(pointer.y - middle.y, pointer.x - middle.x) * 180) / Math.PI + 90;
  const step = isFine ? 1 : TURN;
  return { ...place, rotation: (((Math.round(degrees / step) * step) % 360) + 360) % 360 };
}
