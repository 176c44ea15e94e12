import { html } from 'htm/preact';
import { isConnected } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { Icon } from '../../components/icon.ts';
import { Problem } from '../../components/notice.ts';
import type { Task } from './use-uploads.ts';

function stateOf({ share, problem }: Task): string {
  if (problem) return t.photos.refused;
  if (share === undefined) return t.photos.waits;
  if (!isConnected.value) return t.photos.waitsForConnection;
  return share === 1 ? t.photos.finishing : t.photos.sent(Math.round(share * 100));
}

export const TaskList = ({ tasks, onStop }: { tasks: readonly Task[]; onStop: (id: number) => void }) =>
  tasks.length === 0
    ? null
    : html`
      <ul class="entries" aria-label=${t.photos.onTheirWay}>
        ${tasks.map(
          (task) => html`
            <li class="entry" key=${task.id}>
              <div class="entry-body">
                <p><strong>${task.name}</strong> <span class="quiet small">${stateOf(task)}</span></p>
                ${
                  task.problem
                    ? html`<${Problem} problem=${task.problem} />`
                    : html`<progress max="1" value=${task.share ?? 0} aria-label=${task.name}></progress>`
                }
              </div>
              <button type="button" class="button quiet icon-only" aria-label=${t.photos.stop(task.name)} onClick=${() => onStop(task.id)}>
                <${Icon} name="close" />
              </button>
            </li>
          `,
        )}
      </ul>
    `;
