import { html } from 'htm/preact';
import { t } from '../app/language.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { dismiss, toasts, undo, undoLast } from '../app/toasts.ts';
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
        (toast) => html`
          <div key=${toast.id} class=${toast.problem ? 'toast refused' : 'toast'}>
            ${toast.problem && html`<${Icon} name="warning" />`}
            <span>${toast.text} ${toast.problem?.code && html`<span class="code">${toast.problem.code}</span>`}</span>
            ${
              toast.undo &&
              html`<button type="button" class="button small" onClick=${() => undo(toast)}>
                <${Icon} name="undo" size=${16} /> ${t.frame.undo}
              </button>`
            }
            <button type="button" class="button quiet icon-only small" aria-label=${t.common.close} onClick=${() => dismiss(toast.id)}>
              <${Icon} name="close" size=${16} />
            </button>
          </div>
        `,
      )}
    </div>
  `;
}
