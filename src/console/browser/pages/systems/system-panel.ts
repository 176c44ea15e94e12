import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { System } from '../../../../features/systems/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { venues } from '../../app/places.ts';
import { isPlatform, may } from '../../app/session.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Confirm } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import { CataloguePanel } from './catalogue-panel.ts';
import { CredentialsDialog } from './credentials-dialog.ts';
import { SettingsDialog } from './settings-dialog.ts';
import { SystemHealth } from './system-health.ts';

/** Green where bookings can reach it, red where not, in words. */
function stateOf({ kind, hasCredentials }: Pick<System, 'kind' | 'hasCredentials'>) {
  if (kind === 'built-in') return { tone: 'good', text: t.systems.states.builtIn } as const;
  if (kind === null) return { tone: 'bad', text: t.systems.states.notConnected } as const;
  return hasCredentials
    ? ({ tone: 'good', text: t.systems.states.ready } as const)
    : ({ tone: 'warn', text: t.systems.states.noCredentials } as const);
}

export interface SystemPanelProps {
  base: string;
  operatorId: number;
  system: System;
  onChanged: () => Promise<void>;
}

export function SystemPanel({ base, operatorId, system, onChanged }: SystemPanelProps) {
  const [opened, setOpened] = useState<'credentials' | 'settings' | 'remove'>();
  const { tms, kind, capability, settings, hasCredentials } = system;
  const at = `${base}${path`/${tms}`}`;
  const kept = venues.value.filter((venue) => venue.tms === tms);
  const name = system.name ?? t.systems.names[tms as keyof typeof t.systems.names] ?? tms;
  const { tone, text } = stateOf(system);
  const saved = async () => {
    setOpened(undefined);
    await onChanged();
  };
  const remove = async () => {
    setOpened(undefined);
    try {
      await api.remove(at);
      say(t.common.removed);
    } catch (error) {
      sayProblem(error);
    }
    await onChanged();
  };
  return html`
    <li class="panel">
      <header>
        <div>
          <h2>${name}</h2>
          <p class="small quiet">${capability ? t.systems.capabilities[capability] : t.systems.noCapability}</p>
        </div>
        <span class=${`tag ${tone}`}>
          <${Icon} name=${tone === 'good' ? 'check' : 'warning'} size=${14} /> ${text}
        </span>
      </header>
      <dl class="fact-pairs">
        <dt>${t.systems.venues}</dt>
        <dd>${kept.map(({ name }) => name).join(', ') || t.common.none}</dd>
        ${
          kind !== 'built-in' &&
          html`
            <dt>${t.systems.credentials}</dt>
            <dd>${hasCredentials ? t.systems.stored : t.systems.notStored}</dd>
          `
        }
        ${Object.entries(settings).map(
          ([name, value]) => html`
            <dt key=${name}><code>${name}</code></dt>
            <dd>${String(value)}</dd>
          `,
        )}
      </dl>
      ${
        kind !== 'built-in' &&
        html`<${SystemHealth} key=${JSON.stringify(system)} at=${at} mayTest=${may(operatorId, 'manager')} />`
      }
      <div class="row">
        ${
          kind !== 'built-in' &&
          may(operatorId, 'owner') &&
          html`
            <button type="button" class="button small" onClick=${() => setOpened('settings')}>
              ${t.systems.setSettings}<span class="visually-hidden"> ${name}</span>
            </button>
            <button type="button" class="button small" onClick=${() => setOpened('credentials')}>
              ${t.systems.setCredentials}<span class="visually-hidden"> ${name}</span>
            </button>
          `
        }
        ${
          isPlatform.value &&
          html`<button type="button" class="button small danger" onClick=${() => setOpened('remove')}>
            ${t.common.remove}<span class="visually-hidden"> ${tms}</span>
          </button>`
        }
      </div>
      ${kind === 'remote' && html`<${CataloguePanel} at=${at} tms=${tms} />`}
      ${
        opened === 'credentials' &&
        html`<${CredentialsDialog}
          at=${at}
          system=${system}
          onClose=${() => setOpened(undefined)}
          onSaved=${saved}
        />`
      }
      ${
        opened === 'settings' &&
        html`<${SettingsDialog} at=${at} name=${name} onClose=${() => setOpened(undefined)} onSaved=${saved} />`
      }
      ${
        opened === 'remove' &&
        html`<${Confirm}
          title=${t.systems.remove}
          text=${t.systems.removeText(tms)}
          action=${t.common.remove}
          onConfirm=${remove}
          onClose=${() => setOpened(undefined)}
        />`
      }
    </li>
  `;
}
