import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { api, type Tagged } from '../app/api.ts';
import type { Form } from '../app/form.ts';
import { t } from '../app/language.ts';
import { useLoad } from '../app/load.ts';
import { Dialog, type DialogProps } from './dialog.ts';
import { Loading, Problem } from './notice.ts';

export interface Edited<T> {
  data: T;
  /** What a change rests on: sent with it, so that nothing of others is overwritten. */
  ifMatch: string | null;
  readAgain: () => void;
}

export interface EditDialogProps<T> extends Omit<DialogProps, 'children'> {
  /** Of what is changed. */
  at: string;
  children: (edited: Edited<T>) => ComponentChildren;
}

/** Reads one thing with its ETag and shows a form for it, which starts anew when it is read again. */
export function EditDialog<T>({ at, children, ...dialog }: EditDialogProps<T>) {
  const loaded = useLoad(() => api.getTagged<T>(at), [at]);
  return html`
    <${Dialog} ...${dialog}>
      <${Loading} loaded=${loaded}>
        ${({ data, etag }: Tagged<T>) => html`
          <div class="form" key=${etag}>${children({ data, ifMatch: etag, readAgain: () => loaded.reload() })}</div>
        `}
      <//>
    <//>
  `;
}

export interface FormFootProps {
  form: Pick<Form<object>, 'problem' | 'isSending'>;
  onClose: () => void;
  action?: string;
  /** Offered where another person has changed the thing meanwhile. */
  readAgain?: () => void;
}

/** The refusal, and the buttons of a form in a dialog. */
export const FormFoot = ({ form, onClose, action = t.common.save, readAgain }: FormFootProps) => html`
  <${Problem} problem=${form.problem} onReload=${readAgain} />
  <footer class="dialog-foot">
    <button type="button" class="button" onClick=${onClose}>${t.common.cancel}</button>
    <button type="submit" class="button primary" disabled=${form.isSending}>${action}</button>
  </footer>
`;
