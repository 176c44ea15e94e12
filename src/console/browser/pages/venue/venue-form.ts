import { html } from 'htm/preact';
import type { ManagedVenue } from '../../../../features/venues/manage/venue-schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLeaveGuard } from '../../app/leave-guard.ts';
import { loadVenues, venues } from '../../app/places.ts';
import { guardLeaving } from '../../app/router.ts';
import { operatorOf } from '../../app/session.ts';
import { say } from '../../app/toasts.ts';
import { SelectField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { VenueFields } from '../../components/venue/venue-fields.ts';
import { bodyOfVenue, type VenueValues, valuesOfVenue } from '../../components/venue/venue-values.ts';

export interface VenueFormProps {
  venue: ManagedVenue;
  etag: string | null;
  types: readonly { slug: string; name: string }[];
  isManager: boolean;
  onSaved: () => Promise<void>;
}

export function VenueForm({ venue, etag, types, isManager, onSaved }: VenueFormProps) {
  const form = useForm<VenueValues>(valuesOfVenue(venue), async (values) => {
    await api.put(path`/manage/venues/${venue.id}`, bodyOfVenue(values), { ifMatch: etag });
    guardLeaving(undefined);
    say(t.common.saved);
    // Its name is in the switcher.
    await Promise.all([loadVenues(operatorOf(venue.id), true), onSaved()]);
  });
  useLeaveGuard(form.isChanged);
  const hosts = venues.value.filter(({ id }) => id !== venue.id);
  return html`
    <form class="panel" onSubmit=${form.submit}>
      <fieldset class="field-group" disabled=${!isManager}>
        <${VenueFields} form=${form} types=${types} />
        ${
          (hosts.length > 0 || form.values.hostVenueId !== '') &&
          html`<${SelectField}
            label=${t.venue.host}
            hint=${t.venue.hostHint}
            value=${form.values.hostVenueId}
            errors=${form.errorsOf('hostVenueId')}
            choices=${[{ value: '', label: t.common.none }, ...hosts.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange=${(hostVenueId: string) => form.set({ hostVenueId })}
          />`
        }
      </fieldset>
      <dl class="facts">
        <div><dt>${t.venue.id}</dt><dd><code>${venue.id}</code></dd></div>
        <div><dt>${t.venue.system}</dt><dd>${venue.tms}</dd></div>
      </dl>
      <${Problem} problem=${form.problem} onReload=${onSaved} />
      ${
        isManager &&
        html`<footer class="dialog-foot"><button type="submit" class="button primary" disabled=${form.isSending || !form.isChanged}>${t.common.save}</button></footer>`
      }
    </form>
  `;
}
