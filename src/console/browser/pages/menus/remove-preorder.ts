import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { sayRefusal } from '../../app/document.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { Confirm } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import type { Using } from './drafts.ts';

export interface RemovePreorderProps {
  name: string;
  at: string;
  etag: string | null;
  users: readonly Using[];
  onDone: () => Promise<void>;
}

/** Asks first: products lose it, and what comes back would be another one to partners. */
export function RemovePreorder({ name, at, etag, users, onDone }: RemovePreorderProps) {
  const [isAsked, setAsked] = useState(false);
  async function remove(): Promise<void> {
    setAsked(false);
    try {
      await api.remove(at, { ifMatch: etag });
      say(t.common.removed);
      await onDone();
    } catch (error) {
      sayRefusal(error);
    }
  }
  return html`
    <button type="button" class="button danger push" onClick=${() => setAsked(true)}><${Icon} name="trash" /> ${t.common.remove}</button>
    ${
      isAsked &&
      html`
        <${Confirm}
          title=${t.menus.removeTitle(name)}
          text=${users.length > 0 ? t.menus.removeUsed(users.map((user) => user.name).join(', ')) : t.menus.removeUnused}
          action=${t.common.remove}
          onConfirm=${remove}
          onClose=${() => setAsked(false)}
        />
      `
    }
  `;
}
