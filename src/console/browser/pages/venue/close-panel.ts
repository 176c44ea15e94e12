import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ManagedVenue } from '../../../../features/venues/manage/venue-schema.ts';
import { type ApiProblem, api, path } from '../../app/api.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { problemOf } from '../../app/load.ts';
import { loadVenues } from '../../app/places.ts';
import { go } from '../../app/router.ts';
import { operatorOf } from '../../app/session.ts';
import { say } from '../../app/toasts.ts';
import { Confirm } from '../../components/dialog.ts';
import { Problem } from '../../components/notice.ts';

export interface ClosePanelProps {
  venue: ManagedVenue;
  onChanged: () => Promise<void>;
}

type Question = 'close' | 'reopen' | 'remove';

/** Closing for good, opening again, and removing what was never booked. */
export function ClosePanel({ venue, onChanged }: ClosePanelProps) {
  const [question, setQuestion] = useState<Question>();
  const [problem, setProblem] = useState<ApiProblem>();
  const address = path`/manage/venues/${venue.id}`;
  const operatorId = operatorOf(venue.id);
  async function run(what: Question): Promise<void> {
    setQuestion(undefined);
    setProblem(undefined);
    try {
      if (what === 'remove') await api.remove(address);
      else await api.post(`${address}/${what}`);
      say(t.venue.done[what]);
      await loadVenues(operatorId, true);
      if (what === 'remove') go(path`/console/operators/${operatorId}/venues`);
      else await onChanged();
    } catch (error) {
      setProblem(problemOf(error));
    }
  }
  return html`
    <section class="panel">
      <h2>${t.venue.end}</h2>
      <p class="quiet">${venue.closedAt ? t.venue.closedSince(momentOf(venue.closedAt, venue.timeZone)) : t.venue.endText}</p>
      <div class="row">
        ${
          venue.closedAt
            ? html`<button type="button" class="button" onClick=${() => setQuestion('reopen')}>${t.venue.actions.reopen}</button>`
            : html`<button type="button" class="button danger" onClick=${() => setQuestion('close')}>${t.venue.actions.close}</button>`
        }
        <button type="button" class="button danger" onClick=${() => setQuestion('remove')}>${t.venue.actions.remove}</button>
      </div>
      <${Problem} problem=${problem} />
      ${
        question &&
        html`<${Confirm}
          title=${t.venue.questions[question](venue.name)}
          text=${t.venue.consequences[question]}
          action=${t.venue.actions[question]}
          isDangerous=${question !== 'reopen'}
          onConfirm=${() => run(question)}
          onClose=${() => setQuestion(undefined)}
        />`
      }
    </section>
  `;
}
