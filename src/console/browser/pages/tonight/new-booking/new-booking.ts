/** A booking of the house: size, time and name; the rest may follow. */
import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { HouseStart, ProductStarts } from '../../../../../features/bookings/operator/starts-schema.ts';
import { api, path } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { shortDate } from '../../../app/format.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';
import { useOnce } from '../../../app/once.ts';
import { may, operatorOf } from '../../../app/session.ts';
import { say } from '../../../app/toasts.ts';
import { Dialog } from '../../../components/dialog.ts';
import { SelectField, TextArea, TextField } from '../../../components/field.ts';
import { Problem } from '../../../components/notice.ts';
import type { DiaryTable } from '../evening.ts';
import { GuestSuggestions } from './guest-suggestions.ts';
import { StartChips } from './start-chips.ts';
import { TablePicker } from './table-picker.ts';

export interface NewBookingProps {
  venueId: string;
  date: string;
  /** From a click on empty space. */
  time?: string | undefined;
  tableId?: number | undefined;
  tables: readonly DiaryTable[];
  onClose: () => void;
}

const ORIGINS = ['phone', 'email', 'website', 'other'] as const;

/** Which limits this role may set aside. */
const mayOverride = (venueId: string, override: string) =>
  may(operatorOf(venueId), override === 'notice' || override === 'pacing' ? 'staff' : 'manager');

interface Values {
  date: string;
  partySize: string;
  productKey: string;
  time: string;
  override: string | null;
  tableIds: number[];
  firstName: string;
  lastName: string;
  phone: string;
  email: string;
  notes: string;
  origin: string;
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** Refused starts can be chosen where this role may set the limit aside. */
export function canChoose(venueId: string, start: HouseStart): boolean {
  return start.isFree || (start.refusal?.override != null && mayOverride(venueId, start.refusal.override));
}

export function NewBooking(props: NewBookingProps) {
  const { venueId, tables, onClose } = props;
  const once = useOnce();
  const [isMore, setMore] = useState(false);
  const form = useForm<Values>(
    {
      date: props.date,
      partySize: '2',
      productKey: '',
      time: props.time ?? '',
      override: null,
      tableIds: props.tableId === undefined ? [] : [props.tableId],
      firstName: '',
      lastName: '',
      phone: '',
      email: '',
      notes: '',
      origin: 'phone',
    },
    async (values) => {
      const guest = {
        firstName: orNull(values.firstName),
        lastName: values.lastName.trim(),
        phone: orNull(values.phone),
        email: orNull(values.email),
      };
      const body = {
        productKey: values.productKey,
        origin: values.origin,
        date: values.date,
        time: values.time,
        partySize: Number(values.partySize),
        ...(values.tableIds.length > 0 && { tableIds: values.tableIds }),
        guest,
        notes: orNull(values.notes),
        ...(values.override !== null && { overrides: [values.override] }),
      };
      const all = path`/manage/venues/${venueId}/bookings`;
      await once((idempotencyKey) => api.post(all, body, { idempotencyKey }));
      say(t.tonight.booked(values.lastName, values.time, shortDate(values.date)));
      onClose();
    },
  );
  const { values, set, errorsOf } = form;
  const size = Number(values.partySize);
  const starts = useLoad(
    () =>
      size >= 1
        ? api.get<{ data: ProductStarts[] }>(path`/manage/venues/${venueId}/starts`, {
            date: values.date,
            partySize: size,
          })
        : Promise.resolve({ data: [] }),
    [venueId, values.date, values.partySize],
  );
  const products = starts.data?.data ?? [];
  const product =
    products.find(({ productKey }) => productKey === values.productKey) ??
    products.find((one) => one.starts.length > 0) ??
    products[0];
  const start = product?.starts.find(({ time }) => time === values.time);
  useEffect(() => {
    if (product && product.productKey !== values.productKey) set({ productKey: product.productKey });
  }, [product?.productKey]);
  useEffect(() => {
    set({ override: start?.refusal?.override ?? null });
  }, [start]);

  const text = (name: 'lastName' | 'firstName' | 'phone' | 'email', label: string, rest: object = {}) => html`
    <${TextField}
      label=${label}
      value=${values[name]}
      errors=${errorsOf(`guest.${name}`)}
      onInput=${(value: string) => set({ [name]: value })}
      autocomplete="off"
      ...${rest}
    />
  `;
  return html`
    <${Dialog} kind="drawer" title=${t.tonight.newBooking} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        <div class="columns narrow">
          <${TextField} label=${t.tonight.partySize} type="number" inputmode="numeric" min="1" max="100" required autofocus
            value=${values.partySize} errors=${errorsOf('partySize')} onInput=${(partySize: string) => set({ partySize })} />
          <${TextField} label=${t.tonight.date} type="date" required value=${values.date} errors=${errorsOf('date')}
            onInput=${(date: string) => set({ date, time: '' })} />
        </div>
        ${
          products.length > 1 &&
          html`<${SelectField} label=${t.tonight.product} value=${product?.productKey ?? ''}
            choices=${products.map((one) => ({ value: one.productKey, label: one.name }))}
            onChange=${(productKey: string) => set({ productKey, time: '' })} />`
        }
        <${StartChips} product=${product} chosen=${values.time} canChoose=${(one: HouseStart) => canChoose(venueId, one)}
          onChoose=${(time: string) => set({ time })} problem=${starts.problem} />
        ${
          start?.refusal &&
          html`<div class="notice warn"><p>${start.refusal.detail} <span class="code">${start.refusal.code}</span><br />${t.tonight.bookAnyway}</p></div>`
        }
        <div class="suggesting">
          ${text('lastName', t.tonight.lastName, { required: true })}
          <${GuestSuggestions} operatorId=${operatorOf(venueId)} text=${values.lastName}
            onChoose=${(guest: Partial<Values>) => set(guest)} />
        </div>
        ${text('phone', t.tonight.phone, { type: 'tel' })}
        ${
          isMore
            ? html`
                ${text('firstName', t.tonight.firstName)} ${text('email', t.account.email, { type: 'email' })}
                <${TextArea} label=${t.tonight.notes} value=${values.notes} errors=${errorsOf('notes')} onInput=${(notes: string) => set({ notes })} />
                <${SelectField} label=${t.tonight.origin} value=${values.origin}
                  choices=${ORIGINS.map((value) => ({ value, label: t.tonight.origins[value] }))} onChange=${(origin: string) => set({ origin })} />
              `
            : html`<button type="button" class="button quiet" onClick=${() => setMore(true)}>${t.tonight.more}</button>`
        }
        <${TablePicker} tables=${tables} chosen=${values.tableIds} proposed=${start?.tableIds ?? []} onChange=${(tableIds: number[]) => set({ tableIds })} />
        <${Problem} problem=${form.problem} />
        <footer class="dialog-foot">
          <button type="button" class="button" onClick=${onClose}>${t.common.cancel}</button>
          <button type="submit" class="button primary" disabled=${form.isSending || values.time === ''}>${t.tonight.book}</button>
        </footer>
      </form>
    <//>
  `;
}
