import { html } from 'htm/preact';
import { path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import type { PageProps } from '../../app/router.ts';
import { WebhooksView } from '../../components/webhooks/webhooks-view.ts';
import { OPERATOR_EVENTS } from '../../components/webhooks/words.ts';

/** The webhooks of the operator: over all its venues. */
const Webhooks = ({ params: { operatorId = '' } }: PageProps) => html`
  <${WebhooksView}
    base=${path`/manage/operators/${operatorId}/webhooks`}
    eventTypes=${OPERATOR_EVENTS}
    about=${t.webhooks.operatorAbout}
  />
`;
export default Webhooks;
