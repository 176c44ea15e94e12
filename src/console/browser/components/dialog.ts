import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../app/language.ts';
import { Icon } from './icon.ts';
import { ToastList } from './toast-list.ts';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** `drawer`: from the right edge, over the whole height; `wide`: for what needs room. */
  kind?: 'dialog' | 'drawer' | 'wide';
}

/** A window over the page: Escape, the cross and a click beside it close it, and the focus returns. */
export function Dialog({ title, onClose, children, kind = 'dialog' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return html`
    <dialog
      ref=${element}
      class=${`dialog ${kind}`}
      aria-labelledby=${titleId}
      onCancel=${(event: Event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown=${(event: MouseEvent) => event.target === element.current && onClose()}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id=${titleId}>${title}</h2>
          <button type="button" class="button quiet icon-only" aria-label=${t.common.close} onClick=${onClose}>
            <${Icon} name="close" />
          </button>
        </div>
        ${children}
      </div>
      <${ToastList} />
    </dialog>
  `;
}

export interface ConfirmProps {
  title: string;
  /** Exactly what will happen: what is cancelled, refunded, written to whom. */
  text: string;
  action: string;
  onConfirm: () => void;
  onClose: () => void;
  isDangerous?: boolean;
}

/** Only where money moves, guests are told, or something cannot be taken back. */
export const Confirm = ({
  title,
  text,
  action,
  onConfirm,
  onClose,
  isDangerous = true,
}: ConfirmProps) => html`
  <${Dialog} title=${title} onClose=${onClose}>
    <p>${text}</p>
    <footer class="dialog-foot">
      <button type="button" class="button" onClick=${onClose}>${t.common.keep}</button>
      <button type="button" class=${isDangerous ? 'button danger' : 'button primary'} onClick=${onConfirm}>
        ${action}
      </button>
    </footer>
  <//>
`;
