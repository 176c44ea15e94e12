/** A party that the house puts on the list. */
import { html } from 'htm/preact';
import type { ProductStarts } from '../../../../features/bookings/operator/starts-schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { useOnce } from '../../app/once.ts';
import { say } from '../../app/toasts.ts';
import { Dialog } from '../../components/dialog.ts';
import { FormFoot } from '../../components/edit-dialog.ts';
import { SelectField, TextField } from '../../components/field.ts';

export interface NewEntryProps {
  venueId: string;
  date: string;
  onAdded: () => void;
  onClose: () => void;
}

interface Values {
  productKey: string;
  partySize: string;
  from: string;
  to: string;
  lastName: string;
  firstName: string;
  phone: string;
  email: string;
}

const FIRST: Values = {
  productKey: '',
  partySize: '2',
  from: '19:00',
  to: '21:00',
  lastName: '',
  firstName: '',
  phone: '',
  email: '',
};

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

export function NewEntry({ venueId, date, onAdded, onClose }: NewEntryProps) {
  const once = useOnce();
  const form = useForm<Values>(FIRST, async (sent) => {
    const body = {
      productKey: product?.productKey ?? '',
      date,
      from: sent.from,
      to: sent.to,
      partySize: Number(sent.partySize),
      lastName: sent.lastName.trim(),
      firstName: orNull(sent.firstName),
      phone: orNull(sent.phone),
      email: orNull(sent.email),
    };
    const all = path`/manage/venues/${venueId}/waitlist`;
    await once((idempotencyKey) => api.post(all, body, { idempotencyKey }));
    say(t.waitlist.added(body.lastName));
    onAdded();
    onClose();
  });
  const { values, set, errorsOf } = form;
  const partySize = Number(values.partySize);
  const starts = useLoad(
    () =>
      partySize >= 1
        ? api.get<{ data: ProductStarts[] }>(path`/manage/venues/${venueId}/starts`, { date, partySize })
        : Promise.resolve({ data: [] }),
    [venueId, date, partySize],
  );
  const products = starts.data?.data ?? [];
  const product = products.find(({ productKey }) => productKey === values.productKey) ?? products[0];
  const free = product?.starts.filter(
    ({ isFree, time }) => isFree && time >= values.from && time <= values.to,
  );
  const text = (name: keyof Values, label: string, rest: object = {}) => html`
    <${TextField} label=${label} value=${values[name]} errors=${errorsOf(name)} autocomplete="off"
      onInput=${(value: string) => set({ [name]: value })} ...${rest} />
  `;
  return html`
    <${Dialog} kind="drawer" title=${t.waitlist.add} onClose=${onClose}>
      <form class="form" onSubmit=${form.submit}>
        ${text('partySize', t.tonight.partySize, { type: 'number', inputmode: 'numeric', min: 1, max: 100, required: true, autofocus: true })}
        ${
          products.length > 1 &&
          html`<${SelectField} label=${t.tonight.product} value=${product?.productKey ?? ''}
            choices=${products.map((one) => ({ value: one.productKey, label: one.name }))}
            onChange=${(productKey: string) => set({ productKey })} />`
        }
        <div class="columns narrow">
          ${text('from', t.waitlist.from, { type: 'time', required: true })} ${text('to', t.waitlist.to, { type: 'time', required: true })}
        </div>
        ${free && free.length > 0 && html`<p class="notice">${t.waitlist.freeNow(free.map(({ time }) => time).join(', '))}</p>`}
        ${text('lastName', t.tonight.lastName, { required: true })} ${text('firstName', t.tonight.firstName)}
        ${text('phone', t.tonight.phone, { type: 'tel' })}
        ${text('email', t.account.email, { type: 'email', hint: t.waitlist.emailHint })}
        <${FormFoot} form=${form} onClose=${onClose} action=${t.waitlist.add} />
      </form>
    <//>
  `;
}
