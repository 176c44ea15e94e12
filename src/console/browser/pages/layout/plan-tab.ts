import { html } from 'htm/preact';
import type { Layout } from '../../../../features/layout/schema.ts';
import { api, path, type Tagged } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { may, operatorOf } from '../../app/session.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Editor } from './editor.ts';
import { PlanView } from './plan-view.ts';

export function PlanTab({ venueId }: { venueId: string }) {
  const address = path`/manage/venues/${venueId}/layout`;
  const loaded = useLoad<Tagged<Layout>>(() => api.getTagged<Layout>(address), [venueId]);
  // A system that keeps its tables itself has no layout here: the service refuses the venue.
  if (loaded.problem?.errors.venueId) {
    return html`<${Empty} title=${t.layout.noLayout} text=${t.layout.noLayoutText} />`;
  }
  const isManager = may(operatorOf(venueId), 'manager');
  return html`
    <${Loading} loaded=${loaded}>
      ${({ data, etag }: Tagged<Layout>) =>
        isManager
          ? html`<${Editor} key=${etag} venueId=${venueId} layout=${data} etag=${etag} onSaved=${loaded.reload} />`
          : html`<${PlanView} layout=${data} />`}
    <//>
  `;
}
