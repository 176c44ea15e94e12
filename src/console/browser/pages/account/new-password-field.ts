import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { TextField } from '../../components/field.ts';

export function NewPasswordField(props: {
  label: string;
  value: string;
  errors: readonly string[];
  onInput: (password: string) => void;
}) {
  return html`<${TextField} ...${props} hint=${t.account.passwordHint} type="password" autocomplete="new-password" required />`;
}
