import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { t } from '../app/language.ts';
import { Icon } from './icon.ts';

const SHOWN_MS = 2_000;

/** Puts a text on the clipboard; where the browser has none, the text can be selected. */
export function CopyButton({ text, label = t.common.copy }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return html`
    <button type="button" class="button small" onClick=${copy}>
      <${Icon} name=${isCopied ? 'check' : 'copy'} size=${16} />
      <span aria-live="polite">${isCopied ? t.common.copied : label}</span>
    </button>
  `;
}
