import { html } from 'htm/preact';
import { render } from 'preact';
import { Frame } from './app/frame.ts';
import { startRouter } from './app/router.ts';
import { startShortcuts } from './app/shortcuts.ts';

startRouter();
startShortcuts();
const root = document.getElementById('app');
if (root) render(html`<${Frame} />`, root);
