import type { Parameter } from './target.ts';

const NOT_INTEGERS = [
  '',
  'abc',
  '1.5',
  '1e1',
  '0x1f',
  ' 1',
  '1 ',
  '+1',
  '١',
  '1,2',
  'NaN',
  'null',
  '1'.repeat(400),
];
const NOT_NUMBERS = [
  '',
  'abc',
  '1e1',
  '0x1f',
  ' 1',
  'Infinity',
  '-',
  '1.',
  '.5',
  '1,5',
  'NaN',
  '9'.repeat(400),
];
const WRONG_FORMATS: Record<string, string[]> = {
  date: [
    '',
    '2026-2-3',
    '2026-02-30',
    '20260203',
    '2026-02-03T00:00Z',
    'tomorrow',
    '0000-01-01',
    '+02026-01-01',
  ],
  'clock-time': ['', '24:00', '19:60', '7:30', '19:30Z', 'noon', '1930', '19.30'],
  'date-time': ['', '2026-02-03', '2026-02-03T19:30:00', '2026-02-30T19:30:00Z', '1', '2026-02-03T25:00:00Z'],
  uuid: ['', 'abc', '018f6d2e7d3a7c119a3b2f1e0d9c8b7a', '018f6d2e-7d3a-7c11-9a3b-2f1e0d9c8b7'],
  email: ['', 'ada', 'ada@', '@example.test', 'ada lovelace@example.test'],
};

/** Texts that a parameter of this schema must refuse, worked out from what the schema promises. */
export function wrongValues({ schema }: Parameter): string[] {
  if (Array.isArray(schema.enum)) return ['', 'x', ...schema.enum.map((value: unknown) => `${value} `)];
  switch (schema.type) {
    case 'integer':
      return [...NOT_INTEGERS, ...outside(schema)];
    case 'number':
      return [...NOT_NUMBERS, ...outside(schema)];
    case 'boolean':
      return ['', 'yes', '1', '0', 'TRUE', 'null'];
    case 'array':
      return wrongLists(schema);
    default:
      return wrongTexts(schema);
  }
}

function outside({ minimum, maximum }: { minimum?: number; maximum?: number }): string[] {
  return [
    ...(minimum === undefined ? [] : [String(minimum - 1), '-999999999999999']),
    ...(maximum === undefined ? [] : [String(maximum + 1), '999999999999999']),
  ];
}

function wrongTexts(schema: { minLength?: number; maxLength?: number; format?: string }): string[] {
  const { minLength = 0, maxLength, format } = schema;
  return [
    'a\0b',
    ...(minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(format === undefined ? [] : (WRONG_FORMATS[format] ?? [])),
  ];
}

function wrongLists(schema: {
  minItems?: number;
  maxItems?: number;
  items: { maxLength?: number };
}): string[] {
  const { minItems = 0, maxItems, items } = schema;
  return [
    'a\0b',
    ...(minItems > 0 ? [''] : []),
    ...(maxItems === undefined
      ? []
      : [
          Array(maxItems + 1)
            .fill('ab')
            .join(','),
        ]),
    ...(items.maxLength === undefined ? [] : ['x'.repeat(items.maxLength + 1)]),
  ];
}
