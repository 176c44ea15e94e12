import { html } from 'htm/preact';
import { path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import type { PageProps } from '../../app/router.ts';
import { WebhooksView } from '../../components/webhooks/webhooks-view.ts';
import { PARTNER_EVENTS } from '../../components/webhooks/words.ts';

/** The webhooks of the partner, which its clients can also keep themselves. */
const PartnerWebhooks = ({ params: { partnerId = '' } }: PageProps) => html`
  <${WebhooksView}
    base=${path`/manage/partners/${partnerId}/webhooks`}
    eventTypes=${PARTNER_EVENTS}
    about=${t.webhooks.partnerAbout}
  />
`;
export default PartnerWebhooks;
