/** The keys that can be pressed now. */
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { t } from '../app/language.ts';
import { shortcuts, useShortcuts } from '../app/shortcuts.ts';
import { Dialog } from '../components/dialog.ts';

const NAMES: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'Space',
};
const nameOf = (key: string) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

export function Help() {
  const [isOpen, setOpen] = useState(false);
  useShortcuts([{ key: '?', label: t.frame.help, run: () => setOpen(true) }]);
  if (!isOpen) return null;
  return html`
    <${Dialog} title=${t.frame.keys} onClose=${() => setOpen(false)}>
      <dl class="keys">
        ${shortcuts.value.map(
          ({ key, label }) => html`<div key=${key}><dt><kbd>${nameOf(key)}</kbd></dt><dd>${label}</dd></div>`,
        )}
      </dl>
    <//>
  `;
}
