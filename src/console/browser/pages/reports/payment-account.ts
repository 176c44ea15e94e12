import { html } from 'htm/preact';
import type { PaymentAccount as Account } from '../../../../features/operators/schema.ts';
import { api, path, type Tagged } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Loading, Problem } from '../../components/notice.ts';

/** Where the money of guests goes; for owners. */
export function PaymentAccount({ operatorId }: { operatorId: string }) {
  const at = path`/manage/operators/${operatorId}/payment-account`;
  const loaded = useLoad(() => api.getTagged<Account>(at), [at]);
  return html`
    <section class="panel">
      <h2>${t.money.account}</h2>
      <p class="quiet">${t.money.accountText}</p>
      <${Loading} loaded=${loaded}>
        ${({ data, etag }: Tagged<Account>) => html`<${AccountForm} key=${etag} at=${at} account=${data.account} ifMatch=${etag} onSaved=${loaded.reload} />`}
      <//>
    </section>
  `;
}

interface AccountFormProps {
  at: string;
  account: string | null;
  ifMatch: string | null;
  onSaved: () => Promise<void>;
}

function AccountForm({ at, account, ifMatch, onSaved }: AccountFormProps) {
  const form = useForm({ account: account ?? '' }, async (values) => {
    await api.put(at, { account: values.account.trim() || null }, { ifMatch });
    say(t.common.saved);
    await onSaved();
  });
  return html`
    <form class="form" onSubmit=${form.submit}>
      <${TextField}
        label=${t.money.accountId}
        hint=${t.money.accountHint}
        placeholder="acct_…"
        autocomplete="off"
        spellcheck="false"
        value=${form.values.account}
        errors=${form.errorsOf('account')}
        onInput=${(next: string) => form.set({ account: next })}
      />
      <${Problem} problem=${form.problem} onReload=${onSaved} />
      <div class="row"><button type="submit" class="button primary" disabled=${form.isSending || !form.isChanged}>${t.common.save}</button></div>
    </form>
  `;
}
