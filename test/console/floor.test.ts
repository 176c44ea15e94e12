import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  boxAround,
  boxOf,
  GRID,
  type PlanTable,
  proposePlaces,
  seatsOf,
  sizeFor,
} from '../../src/console/browser/components/floor/geometry.ts';

const table = (id: number, maxCovers: number, place: Partial<PlanTable> = {}): PlanTable => ({
  id,
  name: String(id),
  maxCovers,
  x: null,
  y: null,
  width: null,
  height: null,
  shape: null,
  rotation: null,
  ...place,
});

const overlap = (one: ReturnType<typeof boxOf>, other: ReturnType<typeof boxOf>) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

test('a usual table grows with its guests and stands on the grid', () => {
  let before = 0;
  for (let covers = 1; covers <= 60; covers++) {
    const { width, height } = sizeFor(covers);
    assert.ok(width >= before, `${covers}`);
    assert.equal(width % GRID, 0);
    assert.equal(height % GRID, 0);
    before = width;
  }
});

test('tables without a position are put below the others, and none lies on another', () => {
  const groups = [
    [table(1, 4, { x: 40, y: 40, width: 90, height: 90 }), table(2, 2), table(3, 6)],
    Array.from({ length: 30 }, (_, index) => table(10 + index, 1 + (index % 9))),
  ];
  const places = proposePlaces(groups);
  assert.equal(places.size, 33);
  assert.deepEqual([places.get(1)?.x, places.get(1)?.y], [40, 40]);
  assert.ok((places.get(2)?.y ?? 0) >= 130);
  const boxes = [...places.values()].map(boxOf);
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) assert.ok(!overlap(one, other));
  }
});

test('the box around a turned table is as wide as it was high', () => {
  const upright = boxOf({ x: 0, y: 0, width: 200, height: 100, rotation: 90 });
  assert.deepEqual([Math.round(upright.x), Math.round(upright.y)], [50, -50]);
  assert.deepEqual([Math.round(upright.width), Math.round(upright.height)], [100, 200]);
  assert.deepEqual(boxAround([], 20), { x: 0, y: 0, width: 0, height: 0 });
});

test('every guest has a chair beside the table', () => {
  for (const shape of ['rectangle', 'round'] as const) {
    for (let covers = 1; covers <= 12; covers++) {
      const seats = seatsOf(covers, { width: 160, height: 80, shape });
      assert.equal(seats.length, covers);
      assert.equal(new Set(seats.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size, covers);
      if (shape === 'rectangle') {
        for (const { x, y } of seats) assert.ok(Math.abs(x) > 80 || Math.abs(y) > 40);
      }
    }
  }
  assert.ok(
    seatsOf(45, { width: 100, height: 80, shape: 'rectangle' }).length < 45,
    'as many as can be told apart',
  );
});
