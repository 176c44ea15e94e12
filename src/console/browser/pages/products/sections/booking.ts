import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { LengthField, NumberField } from '../../../components/amount-field.ts';
import { CheckField } from '../../../components/field.ts';
import type { House } from '../draft.ts';
import type { SectionFieldsProps } from './section-props.ts';

/** Who confirms, and how early and late it can be booked. */
export function BookingFields({ draft, set, errorsOf }: SectionFieldsProps) {
  const { house } = draft;
  if (!house) return null;
  const put = (part: Partial<House>) => set({ house: { ...house, ...part } });
  return html`
    <${CheckField} label=${t.products.requestOnly} isOn=${house.isRequestOnly} onChange=${(isRequestOnly: boolean) => put({ isRequestOnly })} />
    ${
      !house.isRequestOnly &&
      html`
        <${NumberField}
          label=${t.products.instantLimit}
          hint=${t.products.instantLimitHint}
          min="0"
          value=${house.instantLimit}
          errors=${errorsOf('house.instantLimit')}
          onInput=${(instantLimit: number | null) => put({ instantLimit })}
        />
      `
    }
    <${CheckField} label=${t.products.takesEnquiries} isOn=${house.takesEnquiries} onChange=${(takesEnquiries: boolean) => put({ takesEnquiries })} />
    <div class="columns">
      <${LengthField} label=${t.products.notice} hint=${t.products.noticeHint} value=${house.noticeMinutes} errors=${errorsOf('house.noticeMinutes')} onInput=${(minutes: number | null) => put({ noticeMinutes: minutes ?? 0 })} />
      <${NumberField} label=${t.products.horizon} hint=${t.products.horizonHint} min="0" value=${house.horizonDays} errors=${errorsOf('house.horizonDays')} onInput=${(horizonDays: number | null) => put({ horizonDays })} />
    </div>
  `;
}
