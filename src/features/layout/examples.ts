import type { Area, Combination, Layout, Table, Zone } from './schema.ts';
import type { ManagedSpace } from './space-schema.ts';
import type { SpendOverride } from './spend-schema.ts';

export const zoneExample: Zone = { id: 1011, name: 'The restaurant' };
export const areaExample: Area = { id: 10111, zoneId: 1011, name: 'Window booths' };
export const tableExample: Table = {
  id: 101106,
  areaId: 10111,
  name: 'W1',
  minCovers: 2,
  maxCovers: 4,
  isActive: true,
  x: 40,
  y: 20,
  width: 120,
  height: 80,
  shape: 'rectangle',
  rotation: 0,
};
const neighbour: Table = { ...tableExample, id: 101107, name: 'W2', x: 180 };
export const combinationExample: Combination = {
  id: 12,
  tableIds: [tableExample.id, neighbour.id],
  minCovers: 5,
  maxCovers: 8,
};
export const layoutExample: Layout = {
  zones: [zoneExample],
  areas: [areaExample],
  tables: [tableExample, neighbour],
  combinations: [combinationExample],
};

export const managedSpaceExample: ManagedSpace = {
  id: 101,
  name: 'The Copper Room',
  description: 'A panelled room with a bar of its own.',
  floorLocation: 'First floor',
  facilities: ['Private bar', 'Lift'],
  capacities: { standing: { min: 20, max: 45 }, seated: { min: 10, max: 28 } },
  policies: {
    minimumSpend: [{ weekdays: [5, 6], startTime: '18:00', endTime: '23:00', amount: 80_000 }],
    occasionTypes: ['birthday', 'corporate-dinner'],
    under18s: true,
    promotedEvents: false,
    accessibility: true,
    servesFood: true,
  },
  zoneIds: [1012],
};

export const spendOverrideExample: SpendOverride = {
  id: 7,
  startDate: '2026-12-24',
  endDate: '2026-12-26',
  startTime: '12:00',
  endTime: '00:00',
  amount: 150_000,
  reason: 'Christmas',
};
