import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { replaced, without } from '../../../app/order.ts';
import { NumberField } from '../../../components/amount-field.ts';
import { Icon } from '../../../components/icon.ts';
import type { Deposit, RefundTerm } from '../draft.ts';
import { DepositFields } from './deposit-fields.ts';
import type { SectionFieldsProps } from './section-props.ts';

const newDeposit = (): Deposit => ({
  amount: 1000,
  currency: 'GBP',
  per: 'guest',
  minPartySize: null,
  maxPartySize: null,
  weekdays: null,
});

/** Deposits, and what is given back when guests cancel. */
export function PaymentFields({ draft, set, errorsOf }: SectionFieldsProps) {
  const { paymentRules: deposits, refundTerms: terms } = draft;
  const setTerm = (at: number, part: Partial<RefundTerm>) =>
    set({ refundTerms: replaced(terms, at, { ...(terms[at] as RefundTerm), ...part }) });
  return html`
    <fieldset class="plain-set">
      <legend>${t.products.deposits}</legend>
      <p class="field-about">${deposits.length === 0 ? t.products.noDeposits : t.products.depositsHint}</p>
      ${deposits.map(
        (deposit, index) => html`
          <${DepositFields}
            key=${index}
            deposit=${deposit}
            errorsOf=${(field: string) => errorsOf(`paymentRules.${index}.${field}`)}
            onChange=${(next: Deposit) => set({ paymentRules: replaced(deposits, index, next) })}
            onRemove=${() => set({ paymentRules: without(deposits, index) })}
          />
        `,
      )}
      <div class="row">
        <button type="button" class="button small" onClick=${() => set({ paymentRules: [...deposits, newDeposit()] })}>
          <${Icon} name="plus" size=${16} /> ${t.products.addDeposit}
        </button>
      </div>
    </fieldset>
    <fieldset class="plain-set">
      <legend>${t.products.refunds}</legend>
      <p class="field-about">${terms.length === 0 ? t.products.refundAlways : t.products.refundsHint}</p>
      ${terms.map(
        (term, index) => html`
          <div class="row end" key=${index}>
            <${NumberField} label=${t.products.hoursBefore} min="0" value=${term.hoursBefore} errors=${errorsOf(`refundTerms.${index}.hoursBefore`)} onInput=${(hours: number) => setTerm(index, { hoursBefore: hours })} />
            <${NumberField} label=${t.products.percentBack} min="0" max="100" value=${term.percent} errors=${errorsOf(`refundTerms.${index}.percent`)} onInput=${(percent: number) => setTerm(index, { percent })} />
            <button type="button" class="button quiet icon-only" aria-label=${t.products.removeRefund(term.hoursBefore)} title=${t.common.remove} onClick=${() => set({ refundTerms: without(terms, index) })}>
              <${Icon} name="close" />
            </button>
          </div>
        `,
      )}
      <div class="row">
        <button type="button" class="button small" onClick=${() => set({ refundTerms: [...terms, { hoursBefore: 24, percent: 100 }] })}>
          <${Icon} name="plus" size=${16} /> ${t.products.addRefund}
        </button>
      </div>
    </fieldset>
  `;
}
