import assert from 'node:assert/strict';
import { test } from 'node:test';
import ICAL from 'ical.js';
import { GUEST_MAIL_KINDS } from '../../../src/features/notifications/guest-texts.ts';
import { LANGUAGES } from '../../../src/features/notifications/languages.ts';
import { assertProblem } from '../../support/app.ts';
import { bookingsApp } from '../bookings/support.ts';

/** What a venue sets, and how its mails look. */

const maitred = bookingsApp();
const PATH = `/manage/venues/${encodeURIComponent('1|house|garden-room')}/mails`;
const as = 'demo-operator';
const put = (body: unknown, headers = {}) => maitred().call(PATH, { method: 'PUT', as, body, headers });
const SETTINGS = {
  replyTo: 'desk@garden-room.example',
  reminderHours: 48,
  sentence: 'Mind the step.',
  language: 'fr',
};

test('a venue has nothing set until it does; changes are in the audit log, by their version', async () => {
  const first = await maitred().call(PATH, { as });
  assert.deepEqual(first.json, { replyTo: null, reminderHours: null, sentence: null, language: null });
  const headers = { 'if-match': String(first.headers.etag) };
  const saved = await put(SETTINGS, headers);
  assert.deepEqual([saved.status, saved.json], [200, SETTINGS], saved.text);
  assertProblem(await put(SETTINGS, headers), 412, 'HTTP-N-412');
  assert.deepEqual((await maitred().call(PATH, { as })).json, SETTINGS);
  const subject = encodeURIComponent('mails 1|house|garden-room');
  const { data } = (await maitred().call(`/manage/operators/1/audit?subject=${subject}`, { as })).json;
  assert.deepEqual([data[0].action, data[0].before.replyTo], ['mails.change', null]);
});

test('what no mail could use is refused', async () => {
  for (const wrong of [
    { replyTo: 'desk' },
    { replyTo: 'desk@garden-room.example\nBcc: eve@example.com' },
    { reminderHours: 0 },
    { reminderHours: 337 },
    { reminderHours: 1.5 },
    { sentence: '' },
    { sentence: ' \t' },
    { sentence: 'Two\nlines' },
    { sentence: 'x'.repeat(501) },
    { language: 'it' },
    { nonsense: true },
  ])
    assertProblem(await put({ ...SETTINGS, ...wrong }), 400, 'VALID-N-001');
  const nowhere = `/manage/venues/${encodeURIComponent('1|house|nowhere')}/mails`;
  assertProblem(await maitred().call(nowhere, { as }), 404, 'VENUE-N-001');
  assertProblem(await maitred().call(`${nowhere}/preview?kind=change`, { as }), 404, 'VENUE-N-001');
  assertProblem(await maitred().call(`${PATH}/preview`, { as }), 400, 'VALID-N-001');
  assertProblem(await maitred().call(`${PATH}/preview?kind=spam`, { as }), 400, 'VALID-N-001');
});

test('every mail can be seen in every language, each with its own words', async () => {
  await put({ ...SETTINGS, sentence: 'Mind the <step>.', language: null });
  const seen = new Set<string>();
  for (const kind of GUEST_MAIL_KINDS)
    for (const language of LANGUAGES) {
      const { status, json } = await maitred().call(`${PATH}/preview?kind=${kind}&language=${language}`, {
        as,
      });
      assert.equal(status, 200);
      assert.ok(!seen.has(json.subject), json.subject);
      seen.add(json.subject);
      assert.match(json.text, /Mind the <step>\./);
      assert.match(json.html, new RegExp(`<html lang="${language}">`));
      assert.match(json.html, /Mind the &lt;step&gt;\./);
      const hasEntry = kind !== 'enquiry' && kind !== 'rejection';
      assert.equal(json.ics !== null, hasEntry);
      if (hasEntry) {
        const method = new ICAL.Component(ICAL.parse(json.ics)).getFirstPropertyValue('method');
        assert.equal(method, kind === 'cancellation' ? 'CANCEL' : 'REQUEST');
      }
    }
  const { json } = await maitred().call(`${PATH}/preview?kind=confirmation`, { as });
  assert.match(json.subject, /^Your booking at/);
});
