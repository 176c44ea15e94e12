import { html } from 'htm/preact';
import { t } from '../app/language.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { dismiss, toasts, undoLast } from '../app/toasts.ts';
import { Icon } from './icon.ts';

export function Toasts() {
  useShortcuts([{ key: 'u', label: t.frame.undoLast, run: () => void undoLast() }]);
  return html`<${ToastList} />`;
}

/** Also inside open dialogs: what lies outside of them cannot be clicked. */
export function ToastList() {
  return html`
    <div class="toasts" role="status" aria-live="polite">
      ${toasts.value.map(
        ({ id, text, undo, problem }) => html`
          <div key=${id} class=${problem ? 'toast refused' : 'toast'}>
            ${problem && html`<${Icon} name="warning" />`}
            <span>${text} ${problem?.code && html`<span class="code">${problem.code}</span>`}</span>
            ${
              undo &&
              html`<button type="button" class="button small" onClick=${undoLast}>
                <${Icon} name="undo" size=${16} /> ${t.frame.undo}
              </button>`
            }
            <button type="button" class="button quiet icon-only small" aria-label=${t.common.close} onClick=${() => dismiss(id)}>
              <${Icon} name="close" size=${16} />
            </button>
          </div>
        `,
      )}
    </div>
  `;
}
