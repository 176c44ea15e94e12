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
export const counterPlaces = [200, 310, 420, 530, 640].map((y) => round(1290, y, 60));

export const boothPlaces = [
  at(60, 40, 110, 90),
  at(210, 40, 110, 90),
  at(360, 40, 110, 90),
  at(510, 40, 110, 90),
  at(660, 40, 160, 90),
  at(860, 40, 160, 90),
];

const couples = [200, 320, 440, 560].flatMap((y) => [at(60, y, 70, 70), at(150, y, 70, 70)]);

export const diningRoomPlaces = [
  ...couples,
  at(330, 210, 90, 90),
  at(440, 210, 90, 90),
  at(620, 210, 90, 90),
  at(730, 210, 90, 90),
  at(330, 420, 90, 90),
  at(440, 420, 90, 90),
  round(650, 400, 120),
  at(900, 240, 90, 90, 45),
  at(60, 720, 150, 90),
  at(230, 720, 150, 90),
  at(400, 720, 200, 90),
  at(620, 720, 200, 90),
];

/** The rooms upstairs and downstairs, drawn beside the restaurant. */
export const roomPlaces: Record<string, Place> = {
  'The Copper Room': at(960, 500, 240, 120),
  'The Cellar': at(960, 720, 280, 70),
};
