import { html } from 'htm/preact';
import { render } from 'preact';
import { startRouter } from './app/router.ts';
import { startShortcuts } from './app/shortcuts.ts';
import { Frame } from './frame/frame.ts';

startRouter();
startShortcuts();
const root = document.getElementById('app');
if (root) render(html`<${Frame} />`, root);
