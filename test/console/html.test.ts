import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../src/console/browser/app/html.ts';

test('no part of a template is drawn twice as the same object, though it never changes', () => {
  const draw = (id: string) => html`<div id=${id}><span class="fixed"></span></div>`;
  const childOf = (drawn: unknown) => (drawn as { props: { children: unknown } }).props.children;
  draw('warm up');
  assert.notEqual(childOf(draw('first')), childOf(draw('second')));
});
