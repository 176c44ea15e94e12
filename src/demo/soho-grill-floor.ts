/**
 * Where the tables of Soho Grill stand, in centimetres from the upper left corner: booths along the windows, the
 * counter on the right in front of the fire, couples along the left wall, the long board at the back. Tables that can
 * be joined stand side by side.
 */
import type { Place } from './layout.ts';

const at = (x: number, y: number, width: number, height: number, rotation = 0): Place => ({
  x,
  y,
  width,
  height,
  shape: 'rectangle',
  rotation,
});
const round = (x: number, y: number, size: number): Place => ({
  ...at(x, y, size, size),
  shape: 'round',
});

/** Stools in front of the grill. */
export const counterPlaces = [250, 370, 490, 610, 730].map((y) => round(1120, y, 60));

export const boothPlaces = [
  at(60, 40, 110, 90),
  at(210, 40, 110, 90),
  at(360, 40, 110, 90),
  at(510, 40, 110, 90),
  at(660, 40, 160, 90),
  at(880, 40, 160, 90),
];

const couples = [250, 380, 510, 640].flatMap((y) => [at(60, y, 70, 70), at(160, y, 70, 70)]);

export const diningRoomPlaces = [
  ...couples,
  at(340, 260, 90, 90),
  at(450, 260, 90, 90),
  at(640, 260, 90, 90),
  at(750, 260, 90, 90),
  at(340, 490, 90, 90),
  at(450, 490, 90, 90),
  round(670, 470, 120),
  at(890, 360, 90, 90, 45),
  at(60, 790, 150, 90),
  at(270, 790, 150, 90),
  at(480, 790, 200, 90),
  at(740, 790, 200, 90),
];

/** The rooms upstairs and downstairs, drawn beside the restaurant. */
export const roomPlaces: Record<string, Place> = {
  'The Copper Room': at(1290, 270, 240, 120),
  'The Cellar': at(1290, 560, 280, 70),
};
