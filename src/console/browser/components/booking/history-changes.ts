import { html } from 'htm/preact';
import { money, shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import type { Difference } from './edit/edit-values.ts';

const named = (names: Record<string, string>, key: string) => names[key] ?? key;

/** A value of a booking as people read it. */
function valueText(field: string, value: unknown, currency: string): string {
  if (value === null || value === undefined || value === '') return t.booking.nothing;
  if (Array.isArray(value))
    return value.length === 0
      ? t.booking.nothing
      : value.map((one) => valueText(field, one, currency)).join(', ');
  if (field === 'date') return shortDate(String(value));
  if (field === 'duration') return t.booking.minutes(Number(value));
  if (field === 'status') return named(t.booking.statuses, String(value));
  if (field === 'visit') return visitText(value);
  if (/Pence$|^depositAmount$|^actualSpend$/.test(field)) return money(Number(value), currency);
  if (typeof value === 'object') return objectText(value as Record<string, unknown>, currency);
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  return String(value);
}

const visitText = (value: unknown) =>
  named(
    t.booking.states,
    typeof value === 'object' ? String((value as { state?: unknown }).state) : String(value),
  );

/** Payments, refunds, areas and whatever else has members. */
function objectText(value: Record<string, unknown>, currency: string): string {
  const { amountPence, status, name } = value;
  if (typeof name === 'string') return name;
  if (typeof amountPence === 'number')
    return [money(amountPence, currency), typeof status === 'string' ? named(t.booking.paid, status) : '']
      .filter(Boolean)
      .join(', ');
  return JSON.stringify(value);
}

/** Fields before and after. */
export const Changes = ({ changes, currency }: { changes: readonly Difference[]; currency: string }) => html`
  <dl class="changes small">
    ${changes.map(
      ({ field, before, after }) => html`
        <div key=${field}>
          <dt>${named(t.booking.fields, field)}</dt>
          <dd>
            ${
              before !== null &&
              before !== undefined &&
              html`<del>${valueText(field, before, currency)}</del> <span aria-hidden="true">→</span> `
            }
            <span>${valueText(field, after, currency)}</span>
          </dd>
        </div>
      `,
    )}
  </dl>
`;
