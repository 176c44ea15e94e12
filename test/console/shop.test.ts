import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  clockOfMinute,
  minuteOfClock,
  parsePence,
  penceText,
  unitOf,
} from '../../src/console/browser/app/amounts.ts';
import { dataName, freeName } from '../../src/console/browser/app/data-name.ts';
import { moved, toggled } from '../../src/console/browser/app/order.ts';
import { keysOf } from '../../src/console/browser/pages/faqs/faq-keys.ts';
import {
  menuBody,
  newItem,
  newMenu,
  newOption,
  usersOf,
} from '../../src/console/browser/pages/menus/drafts.ts';
import { begunWith, missingParts, partRange } from '../../src/console/browser/pages/photos/parts.ts';
import {
  bodyOf,
  copyOf,
  draftOf,
  isRefused,
  newDraft,
  type Product,
} from '../../src/console/browser/pages/products/draft.ts';
import {
  daysText,
  freeDays,
  periodsText,
  withDays,
  withoutEmpty,
} from '../../src/console/browser/pages/products/hours.ts';
import { managedProductExample } from '../../src/features/venues/manage/examples.ts';

/** What the pages about products, menus, photos and questions compute. */

describe('amounts', () => {
  test('pounds are read as people write them', () => {
    for (const [text, pence] of [
      ['12', 1200],
      ['12.5', 1250],
      ['12,50', 1250],
      ['£ 0.05', 5],
      ['12.', 1200],
      ['', null],
    ] as const)
      assert.equal(parsePence(text), pence, text);
    for (const text of ['a', '-1', '1.234', '1e3', '1.2.3']) assert.equal(parsePence(text), undefined, text);
  });

  test('what is shown is read as the same amount', () => {
    for (const pence of [0, 5, 50, 100, 1234, 100_000_000]) assert.equal(parsePence(penceText(pence)), pence);
  });

  test('a length has the largest unit without a remainder', () => {
    assert.deepEqual([0, 45, 90, 120, 1440, 2880].map(unitOf), [
      'minutes',
      'minutes',
      'minutes',
      'hours',
      'days',
      'days',
    ]);
  });

  test('a start after midnight keeps its day', () => {
    for (const minute of [0, 1230, 1440, 1500, 2879])
      assert.equal(minuteOfClock(clockOfMinute(minute), minute >= 1440), minute);
    assert.equal(clockOfMinute(1500), '01:00');
  });
});

describe('lists', () => {
  test('an entry is moved, and nothing is lost', () => {
    assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a']);
    assert.deepEqual(moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
    assert.deepEqual(moved(['a', 'b'], 1, 5), ['a', 'b']);
    assert.deepEqual(moved(['a', 'b'], -1, 0), ['a', 'b']);
  });

  test('an entry is in or out of a set', () => {
    assert.deepEqual(toggled([1, 2], 3), [1, 2, 3]);
    assert.deepEqual(toggled([1, 2], 1), [2]);
  });

  test('the same question twice has two keys', () => {
    const keys = keysOf(['Dogs?', 'Parking?', 'Dogs?'].map((question) => ({ question, answer: '' })));
    assert.equal(new Set(keys).size, 3);
  });
});

describe('names in data', () => {
  test('are made of what people call it', () => {
    assert.equal(dataName('How it’s cooked'), 'how-it-s-cooked');
    assert.equal(dataName('  Café «Zum Bären» 2 & Bar! '), 'cafe-zum-baren-2-bar');
    assert.equal(dataName('***'), '');
    assert.equal(dataName('Crème brûlée, groß'), 'creme-brulee-gross');
    assert.match(dataName(`${'a'.repeat(49)} b`), /^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  test('one that is taken gets a number', () => {
    assert.equal(freeName('Dinner', []), 'dinner');
    assert.equal(freeName('Dinner', ['dinner', 'dinner-2']), 'dinner-3');
  });
});

describe('hours', () => {
  const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  test('days in a row are a range', () => {
    assert.equal(daysText([1, 2, 3, 4, 6], names), 'Mon–Thu, Sat');
    assert.equal(daysText([7, 6], names), 'Sat, Sun');
    assert.equal(daysText([], names), '');
  });

  test('midnight at the end of the day can be shown by a field for times', () => {
    assert.equal(periodsText([{ opens: '18:00', closes: '24:00' }]), '18:00–00:00');
  });

  test('a day is in one row at most', () => {
    const periods = [{ opens: '12:00', closes: '15:00' }];
    const weekly = [
      { weekdays: [1, 2] as (1 | 2)[], periods },
      { weekdays: [3] as 3[], periods },
    ];
    const next = withDays(weekly, 1, [2, 3]);
    assert.deepEqual(
      next.map(({ weekdays }) => weekdays),
      [[1], [2, 3]],
    );
    assert.deepEqual(freeDays(next), [4, 5, 6, 7]);
    assert.deepEqual(withDays(next, 0, [])[0]?.weekdays, []);
    assert.equal(withoutEmpty(withDays(next, 0, [])).length, 1);
  });
});

describe('products', () => {
  const beginning = { tms: 'house', name: 'Dinner', categories: ['dinner'], taken: ['dinner'] };
  test('a new one is open when the venue is, and its key is free', () => {
    const venueHours = { weekly: [{ weekdays: [6, 5] as (5 | 6)[], periods: [] }], exceptions: [] };
    const draft = newDraft('dinner', { ...beginning, venueHours });
    assert.equal(draft.key, 'dinner-2');
    assert.equal(draft.category, 'dinner');
    assert.deepEqual(draft.hours.weekly[0]?.weekdays, [5, 6]);
    assert.equal(draft.tickets, null);
  });

  test('a ticket type has no weekly hours and is not seated', () => {
    const draft = newDraft(undefined, { ...beginning, tms: 'tickets' });
    assert.deepEqual(draft.hours.weekly, []);
    assert.equal(draft.house, null);
    assert.notEqual(draft.tickets, null);
  });

  test('what is sent is what was read, without what the service adds', () => {
    const product = managedProductExample as Product;
    const { compositeId: _, effective: __, isWithdrawn: ___, key: ____, ...sent } = product;
    assert.deepEqual(bodyOf(draftOf(product)), sent);
    assert.equal(copyOf(product, 'Copy of Dinner', ['dinner']).key, 'copy-of-dinner');
  });

  test('a refusal is found in the section that it is about', () => {
    const errors = { 'house.turnTimes': ['must ascend'] };
    assert.equal(isRefused(errors, ['house.turnTimes']), true);
    assert.equal(isRefused(errors, ['house']), true);
    assert.equal(isRefused(errors, ['house.turn', 'hours']), false);
  });
});

describe('menus', () => {
  test('a new dish is of the course of the one before', () => {
    assert.equal(newItem({ ...newItem(), type: 'dessert' }).type, 'dessert');
  });

  test('choices get their name in data from their name, unless they have one', () => {
    const item = {
      ...newItem(),
      options: [
        { ...newOption(), name: 'How it is cooked' },
        { ...newOption(), id: 'sauce', name: 'With' },
      ],
    };
    const [sent] = menuBody({ ...newMenu(), items: [item] }).items;
    assert.deepEqual(
      sent?.options?.map(({ id }) => id),
      ['how-it-is-cooked', 'sauce'],
    );
  });

  test('products name what can be ordered with them', () => {
    const products = [
      { key: 'a', name: 'A', menuIds: [1], packageIds: [] },
      { key: 'b', name: 'B', menuIds: [2], packageIds: [1] },
    ];
    assert.deepEqual(usersOf(products, 'menuIds', 1), [{ key: 'a', name: 'A' }]);
    assert.deepEqual(usersOf(products, 'packageIds', 1), [{ key: 'b', name: 'B' }]);
  });
});

describe('uploads', () => {
  const upload = {
    uploadId: 'u',
    contentType: 'image/png',
    sizeBytes: 1100,
    caption: null,
    partBytes: 500,
    parts: 3,
    received: [2],
    expiresAt: '',
  };
  test('the missing parts cover what has not arrived', () => {
    assert.deepEqual(missingParts(upload), [1, 3]);
    assert.deepEqual(partRange(upload, 1), { from: 0, to: 500 });
    assert.deepEqual(partRange(upload, 3), { from: 1000, to: 1100 });
  });

  test('a file goes on where one of its kind and length was', () => {
    assert.equal(begunWith([upload], { size: 1100, type: 'image/png' }), upload);
    assert.equal(begunWith([upload], { size: 1100, type: 'image/gif' }), undefined);
  });
});
