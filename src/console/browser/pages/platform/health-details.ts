import { html } from 'htm/preact';
import type { PlatformHealth } from '../../../../features/health/schema.ts';
import { ago, number } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { operators, partners } from '../../app/places.ts';
import { ToneTag } from '../../components/tone-tag.ts';
import type { Part } from './health-tones.ts';

const MEBIBYTE = 1_048_576;

type Fact = [label: string, value: string];

const Facts = ({ facts }: { facts: readonly Fact[] }) => html`
  <dl class="fact-pairs">
    ${facts.map(
      ([label, value]) => html`
        <dt>${label}</dt>
        <dd>${value}</dd>
      `,
    )}
  </dl>
`;

const since = (instant: string | null) => (instant === null ? t.health.nothingWaits : ago(instant));

/** What is known of one part, in words. */
export function HealthDetails({ health, part }: { health: PlatformHealth; part: Part }) {
  if (part !== 'systems' && health[part] === null) return html`<p>${t.health.unknown}</p>`;
  const { nodes, database, queues, mails, webhooks, feeds, encryption, systems } = health;
  if (part === 'nodes')
    return html`<ul class="health-list">
      ${nodes?.map(
        (node) => html`
          <li key=${node.id}>
            <div>
              <strong class="break">${node.host}</strong>
              <p class="small quiet">${t.health.node(node.role, node.version, ago(node.startedAt))}</p>
            </div>
            <${ToneTag} tone=${node.isUp ? 'good' : 'bad'} text=${node.isUp ? t.health.up : t.health.down(ago(node.seenAt))} />
          </li>
        `,
      )}
    </ul>`;
  if (part === 'database' && database)
    return html`<${Facts}
      facts=${[
        [t.health.latency, t.health.ms(database.latencyMs)],
        [
          t.health.connections,
          t.health.ofMost(number(database.connections), number(database.maxConnections)),
        ],
        [t.health.size, t.health.mebibytes(number(Math.round(database.sizeBytes / MEBIBYTE)))],
      ]}
    />`;
  if (part === 'queues' && queues) return html`<${Queues} queues=${queues} />`;
  if (part === 'mails' && mails)
    return html`<${Facts}
      facts=${[
        [t.health.waiting, number(mails.waiting)],
        [t.health.retrying, number(mails.retrying)],
        [t.health.oldest, since(mails.oldestDueAt)],
      ]}
    />`;
  if (part === 'webhooks' && webhooks)
    return html`
      <${Facts}
        facts=${[
          [t.health.waiting, number(webhooks.waiting)],
          [t.health.oldest, since(webhooks.oldestDueAt)],
        ]}
      />
      <${Failing} webhooks=${webhooks.failing} />
    `;
  if (part === 'feeds' && feeds)
    return html`<${Facts}
      facts=${[
        [t.pages.venues, number(feeds.venues)],
        [t.health.behind, number(feeds.behind)],
        [t.health.failing, number(feeds.failing)],
        [t.health.lastMade, feeds.lastMadeAt === null ? t.common.none : ago(feeds.lastMadeAt)],
      ]}
    />`;
  if (part === 'encryption' && encryption) return html`<${Keys} encryption=${encryption} />`;
  if (systems.length === 0) return html`<p class="quiet">${t.health.noSystems}</p>`;
  return html`<ul class="health-list">
    ${systems.map(
      ({ tms, isResting, restingOn }) => html`
        <li key=${tms}>
          <strong>${tms}</strong>
          <${ToneTag} tone=${isResting ? 'bad' : 'good'} text=${isResting ? t.health.resting(restingOn) : t.health.tones.good} />
        </li>
      `,
    )}
  </ul>`;
}

/** Those with something to say; the others are counted. */
function Queues({ queues }: { queues: NonNullable<PlatformHealth['queues']> }) {
  const busy = queues.filter(({ waiting, failed }) => waiting > 0 || failed > 0);
  return html`
    <p>${t.health.quietQueues(queues.length - busy.length)}</p>
    ${
      busy.length > 0 &&
      html`<ul class="health-list">
        ${busy.map(
          (queue) => html`
            <li key=${queue.name}>
              <div>
                <code class="break">${queue.name}</code>
                <p class="small quiet">${t.health.queue(queue.waiting, since(queue.oldestDueAt))}</p>
              </div>
              ${queue.failed > 0 && html`<${ToneTag} tone="warn" text=${t.health.failedRuns(queue.failed)} />`}
            </li>
          `,
        )}
      </ul>`
    }
  `;
}

/** Which keys are in use; while one is replaced, how much is left, and which can go. */
function Keys({ encryption }: { encryption: NonNullable<PlatformHealth['encryption']> }) {
  const { state, keyId, keys, remaining, failed, waitingFor } = encryption;
  return html`
    <p>${t.health.keyStates[state]}</p>
    ${state !== 'settled' && html`<${Facts} facts=${[[t.health.rowsLeft, number(remaining)]]} />`}
    ${waitingFor.length > 0 && html`<p class="small quiet break">${t.health.waitingFor(waitingFor)}</p>`}
    ${failed > 0 && html`<p class="small quiet">${t.health.doNotOpen(failed)}</p>`}
    <ul class="health-list">
      ${keys.map(
        ({ id, isNeeded, isHeld }) => html`
          <li key=${id}>
            <code>${id}</code>
            <${ToneTag}
              tone=${isNeeded && !isHeld ? 'bad' : 'good'}
              text=${id === keyId ? t.health.keySeals : isNeeded ? t.health.keyNeeded : t.health.keyCanGo}
            />
          </li>
        `,
      )}
    </ul>
  `;
}

function Failing({ webhooks }: { webhooks: NonNullable<PlatformHealth['webhooks']>['failing'] }) {
  if (webhooks.length === 0) return null;
  const nameOf = ({ partnerId, operatorId }: (typeof webhooks)[number]) =>
    partnerId === null
      ? operators.value.find(({ id }) => id === operatorId)?.name
      : partners.value.find(({ id }) => id === partnerId)?.name;
  const hrefOf = ({ partnerId, operatorId }: (typeof webhooks)[number]) =>
    partnerId === null
      ? `/console/operators/${operatorId}/webhooks`
      : `/console/partners/${partnerId}/webhooks`;
  return html`<ul class="health-list">
    ${webhooks.map(
      (webhook) => html`
        <li key=${webhook.webhookId}>
          <a href=${hrefOf(webhook)}>${nameOf(webhook) ?? t.pages.webhooks}${webhook.label && html`: ${webhook.label}`}</a>
          <${ToneTag} tone="warn" text=${t.health.retryingCount(webhook.retrying)} />
        </li>
      `,
    )}
  </ul>`;
}
