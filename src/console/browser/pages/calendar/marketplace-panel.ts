import { html } from 'htm/preact';
import type { VenueMarketplace } from '../../../../features/availability/operator-rules/schema.ts';
import { api, path, type Tagged } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { say } from '../../app/toasts.ts';
import { CheckField, SelectField, TextField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Loading, Problem } from '../../components/notice.ts';
import { WeekdayPicker } from '../../components/weekday-picker.ts';
import type { SaleChoices } from './sale-choices.ts';

export interface MarketplacePanelProps {
  venueId: string;
  isManager: boolean;
  choices: SaleChoices;
}

/** The marketplace that sells the venue with all its products. */
export function MarketplacePanel({ venueId, isManager, choices }: MarketplacePanelProps) {
  const address = path`/manage/venues/${venueId}/marketplace`;
  const loaded = useLoad<Tagged<VenueMarketplace>>(() => api.getTagged<VenueMarketplace>(address), [venueId]);
  return html`
    <section class="panel">
      <h2>${t.calendar.marketplace}</h2>
      <p class="quiet">${t.calendar.marketplaceText}</p>
      <${Loading} loaded=${loaded}>
        ${({ data, etag }: Tagged<VenueMarketplace>) => html`
          <${MarketplaceForm} key=${etag} address=${address} marketplace=${data} etag=${etag} isManager=${isManager} choices=${choices} onSaved=${loaded.reload} />
        `}
      <//>
    </section>
  `;
}

interface MarketplaceFormProps {
  address: string;
  marketplace: VenueMarketplace;
  etag: string | null;
  isManager: boolean;
  choices: SaleChoices;
  onSaved: () => Promise<void>;
}
type Managed = VenueMarketplace['managed'];

function MarketplaceForm({ address, marketplace, etag, isManager, choices, onSaved }: MarketplaceFormProps) {
  const form = useForm<VenueMarketplace>(marketplace, async (values) => {
    await api.put(address, values, { ifMatch: etag });
    say(t.common.saved);
    await onSaved();
  });
  const { values, set, errorsOf } = form;
  const setManaged = (index: number, changes: Partial<Managed[number]>) =>
    set({ managed: values.managed.map((old, at) => (at === index ? { ...old, ...changes } : old)) });
  return html`
    <form onSubmit=${form.submit}>
      <fieldset class="field-group" disabled=${!isManager}>
        <div class="columns">
          <${SelectField}
            label=${t.calendar.marketplacePartner}
            value=${String(values.partnerId ?? '')}
            errors=${errorsOf('partnerId')}
            choices=${[{ value: '', label: t.common.none }, ...choices.partners.map(({ id, name }) => ({ value: String(id), label: name }))]}
            onChange=${(id: string) => set(id === '' ? { partnerId: null, listingId: null, isEnabled: false, managed: [] } : { partnerId: Number(id) })}
          />
          ${
            values.partnerId !== null &&
            html`<${TextField} label=${t.calendar.listingId} hint=${t.calendar.listingHint} value=${values.listingId} errors=${errorsOf('listingId')} onInput=${(text: string) => set({ listingId: text === '' ? null : text })} />`
          }
        </div>
        ${
          values.partnerId !== null &&
          html`
            <${CheckField} label=${t.calendar.isSoldThere} isOn=${values.isEnabled} disabled=${!isManager} onChange=${(isEnabled: boolean) => set({ isEnabled })} />
            <fieldset class="field-group">
              <legend>${t.calendar.hiddenThere}</legend>
              ${values.managed.map(
                (entry, index) => html`
                  <div key=${index} class="sale-managed">
                    <${SelectField}
                      label=${t.calendar.product}
                      value=${entry.productKey ?? ''}
                      choices=${[{ value: '', label: t.calendar.everything }, ...choices.products.map(({ id, name }) => ({ value: id, label: name }))]}
                      onChange=${(key: string) => setManaged(index, { productKey: key === '' ? null : key })}
                    />
                    <${WeekdayPicker} label=${t.calendar.weekdays} chosen=${entry.weekdays} disabled=${!isManager} onChange=${(weekdays: number[]) => setManaged(index, { weekdays })} />
                    ${
                      isManager &&
                      html`<button type="button" class="button quiet icon-only" aria-label=${t.common.remove} onClick=${() => set({ managed: values.managed.filter((_, at) => at !== index) })}><${Icon} name="trash" size=${16} /></button>`
                    }
                  </div>
                `,
              )}
              ${
                isManager &&
                html`<div><button type="button" class="button small" onClick=${() => set({ managed: [...values.managed, { productKey: null, weekdays: [6] }] })}><${Icon} name="plus" size=${16} /> ${t.calendar.hideMore}</button></div>`
              }
            </fieldset>
          `
        }
      </fieldset>
      <${Problem} problem=${form.problem} />
      ${
        isManager &&
        html`<footer class="dialog-foot"><button type="submit" class="button primary" disabled=${form.isSending || !form.isChanged}>${t.common.save}</button></footer>`
      }
    </form>
  `;
}
