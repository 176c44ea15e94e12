import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { quoted, tokenCall } from '../../src/console/browser/pages/partner/first-calls.ts';
import { freshBody, operationsOf } from '../../src/console/browser/pages/partner/try-call/operations.ts';
import { callOf, curlOf } from '../../src/console/browser/pages/partner/try-call/request.ts';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const operations = operationsOf(document);
const find = (id: string) => {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
};

test('every call that needs a token can be tried, and no other', () => {
  ok(operations.length > 25);
  ok(!operations.some(({ id }) => id === 'createToken'));
  for (const { path, parameters } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    deepEqual(
      named.filter(
        (name) => !parameters.some((parameter) => parameter.name === name && parameter.isRequired),
      ),
      [],
    );
  }
});

test('values go where the description says', () => {
  const call = callOf(
    find('getAvailability'),
    { compositeId: '1|house|soho-grill|dinner', partySize: '2', date: '', 'X-Correlation-ID': 'a-1' },
    undefined,
  );
  deepEqual(call, {
    method: 'GET',
    address: '/venues/1%7Chouse%7Csoho-grill%7Cdinner/availability?partySize=2',
    headers: { 'X-Correlation-ID': 'a-1' },
    body: undefined,
  });
});

test('a call with a body begins with the example of the description', () => {
  const operation = find('createBooking');
  equal(JSON.parse(operation.body ?? '').type, 'book');
  const call = callOf(operation, { compositeId: 'x' }, '{}');
  equal(call.headers['Content-Type'], 'application/json');
  equal(call.body, '{}');
});

test('what is copied for the terminal is read by a shell as it was meant', () => {
  const body = `{"notes": "it's $HOME"}`;
  const text = curlOf('http://localhost:1', callOf(find('createBooking'), { compositeId: "a'b" }, body));
  const shown = execFileSync(
    'sh',
    ['-c', `curl() { for each; do echo "<$each>"; done; }; TOKEN=t; ${text}`],
    {
      encoding: 'utf8',
    },
  );
  ok(shown.includes(`<${body}>`));
  ok(shown.includes('<Authorization: Bearer t>'));
  ok(shown.includes("<http://localhost:1/venues/a'b/booking>"));
});

test('a secret that is not known is a variable of the terminal', () => {
  const call = { origin: 'https://api.example', clientId: 'acme', audience: 'maitred' };
  match(tokenCall(call), /"client_secret=\$CLIENT_SECRET"/);
  match(tokenCall({ ...call, secret: 's3' }), /'client_secret=s3'/);
  equal(quoted("it's"), `'it'\\''s'`);
});

test('the example of a body lies ahead and has a number of its own', () => {
  const body =
    '{ "dateTime": "2020-12-05T19:30:00+00:00", "date": "2020-12-05", "partnerBookingId": "order-4711" }';
  const fresh = JSON.parse(freshBody(body, new Date('2026-11-18T00:10:00Z')));
  equal(fresh.dateTime, '2026-11-25T19:30:00+00:00');
  equal(fresh.date, '2026-11-25');
  match(fresh.partnerBookingId, /^try-\w+$/);
});
