import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record, redo, startHistory, undo } from '../../src/console/browser/pages/layout/edit-history.ts';
import { bodyOf, countUnplaced, planOf } from '../../src/console/browser/pages/layout/plan.ts';
import {
  addArea,
  addTable,
  changeTables,
  duplicateTables,
  firstRoom,
  isJoined,
  joinTables,
  moveTables,
  nextName,
  removeTables,
} from '../../src/console/browser/pages/layout/plan-changes.ts';
import { resize, turn } from '../../src/console/browser/pages/layout/transform.ts';
import { layoutExample } from '../../src/features/layout/schema.ts';

test('a layout that was only looked at is sent back as it was', () => {
  assert.deepEqual(bodyOf(planOf(layoutExample)), layoutExample);
  assert.equal(countUnplaced(layoutExample), 0);
});

test('new parts are named by their refs', () => {
  const room = firstRoom('Ground floor', 'Main');
  const [area = { key: '' }] = room.areas;
  const first = addTable(room, area.key);
  const second = duplicateTables(first.plan, first.keys);
  const joined = joinTables(second.plan, [...first.keys, ...second.keys]);
  const body = bodyOf(joined);
  assert.equal(body.areas[0]?.zoneId, body.zones[0]?.ref);
  assert.deepEqual(
    body.tables.map(({ name, areaId }) => [name, areaId]),
    [
      ['1', body.areas[0]?.ref],
      ['2', body.areas[0]?.ref],
    ],
  );
  assert.deepEqual(
    body.combinations[0]?.tableIds,
    body.tables.map(({ ref }) => ref),
  );
  assert.ok(isJoined(joined, [...second.keys, ...first.keys]));
});

test('a name that is free follows the one before', () => {
  assert.equal(nextName('W3', ['W3', 'W4']), 'W5');
  assert.equal(nextName('Bar', ['Bar']), 'Bar 2');
  assert.equal(nextName('0', []), '1');
});

test('tables that are added one after the other do not lie on each other', () => {
  let { plan } = { plan: planOf(layoutExample) };
  const area = plan.areas[0]?.key ?? '';
  for (let count = 0; count < 20; count++) plan = addTable(plan, area).plan;
  const places = plan.tables.map(({ x, y }) => `${x} ${y}`);
  assert.equal(new Set(places).size, places.length);
  assert.equal(new Set(plan.tables.map(({ name }) => name)).size, plan.tables.length);
});

test('tables move together and stop at the edge', () => {
  const plan = planOf(layoutExample);
  const keys = plan.tables.map(({ key }) => key);
  const moved = moveTables(plan, keys, -1000, 10);
  assert.deepEqual(
    moved.tables.map(({ x, y }) => [x, y]),
    [
      [0, 30],
      [140, 30],
    ],
  );
});

test('a table that is removed takes its combinations along', () => {
  const plan = planOf(layoutExample);
  const left = removeTables(plan, [plan.tables[0]?.key ?? '']);
  assert.deepEqual([left.tables.length, left.combinations.length], [1, 0]);
});

test('steps are taken back and forth; typing a name is one step', () => {
  const plan = planOf(layoutExample);
  const key = plan.tables[0]?.key ?? '';
  let history = startHistory(plan);
  for (const name of ['B', 'Ba', 'Bar'])
    history = record(history, changeTables(history.present, [key], { name }), `name ${key}`);
  assert.equal(history.past.length, 1);
  history = record(history, addArea(history.present, 'id-1011', 'Terrace'));
  history = undo(undo(history));
  assert.equal(history.present, plan);
  history = redo(history);
  assert.equal(history.present.tables[0]?.name, 'Bar');
  assert.equal(undo(undo(undo(history))).present, plan);
});

test('a corner that is pulled leaves the opposite one where it is, also of a turned table', () => {
  const place = { x: 100, y: 100, width: 100, height: 50, shape: 'rectangle', rotation: 0 } as const;
  assert.deepEqual(resize(place, { x: 23, y: -500 }), { ...place, width: 120, height: 30 });
  const upright = { ...place, rotation: 90 };
  const pulled = resize(upright, { x: 0, y: 40 });
  assert.deepEqual([pulled.width, pulled.height], [140, 50]);
  // Turned by 90 degrees, the corner at the upper right is that of the start.
  const cornerOf = ({ x, y, width, height }: typeof pulled) => [
    x + width / 2 + height / 2,
    y + height / 2 - width / 2,
  ];
  assert.deepEqual(cornerOf(pulled), cornerOf(upright));
});

test('a table turns in steps', () => {
  const place = { x: 0, y: 0, width: 100, height: 100, shape: 'round', rotation: 0 } as const;
  assert.equal(turn(place, { x: 200, y: 50 }).rotation, 90);
  assert.equal(turn(place, { x: 50, y: -10 }).rotation, 0);
  assert.equal(turn(place, { x: -100, y: 52 }).rotation, 270);
  assert.equal(turn(place, { x: 200, y: 52 }, true).rotation, 91);
});
