import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { DryRunResult } from '../../../../features/booking-rules/manage/schema.ts';
import { type ApiProblem, api, path } from '../../app/api.ts';
import { shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { problemOf } from '../../app/load.ts';
import { Problem } from '../../components/notice.ts';

const PAUSE_MS = 400;
const SHOWN = 10;

export interface Trial {
  /** The draft that the answer is about. */
  key: string;
  result?: DryRunResult;
  problem?: ApiProblem;
}

/** Tries each draft once the typing pauses. A name makes no difference, so it need not be there yet. */
export function useTrial(
  operatorId: string,
  ruleId: string | undefined,
  body: Record<string, unknown> | undefined,
) {
  const [trial, setTrial] = useState<Trial>();
  const key = JSON.stringify(body && { ...body, name: '' });
  useEffect(() => {
    if (!body) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const rule = { ...body, name: body.name || t.rules.unnamed };
      try {
        const result = await api.post<DryRunResult>(
          path`/manage/operators/${operatorId}/booking-rules/dry-run`,
          {
            rule,
            ...(ruleId !== undefined && { ruleId }),
          },
        );
        if (isWanted) setTrial({ key, result });
      } catch (error) {
        if (isWanted) setTrial({ key, problem: problemOf(error) });
      }
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [operatorId, ruleId, key]);
  const isCurrent = body !== undefined && trial?.key === key;
  return { trial, isCurrent, isSeen: isCurrent && trial?.result !== undefined };
}

/** The sentence that partners will read, and what the rule would have done. */
export function TrialPanel({ trial, isCurrent }: { trial: Trial | undefined; isCurrent: boolean }) {
  const result = trial?.result;
  return html`
    <section class="panel trial" aria-live="polite" aria-busy=${!isCurrent}>
      <h2>${t.rules.partnersRead}</h2>
      ${result ? html`<blockquote>${result.ruleSummary}</blockquote>` : html`<p class="quiet">${t.rules.noSentence}</p>`}
      <${Problem} problem=${trial?.problem} />
      ${result && html`<${Touched} result=${result} />`}
      <p class="small quiet">${isCurrent ? ' ' : t.rules.trying}</p>
    </section>
  `;
}

const Touched = ({ result }: { result: DryRunResult }) => html`
  <h2>${t.rules.lastDays}</h2>
  <p>
    <strong class="figure">${result.touched}</strong> ${t.rules.touched(result.touched, result.considered)}
  </p>
  ${result.replaced && html`<p class="small quiet">${t.rules.replaces(result.considered - result.replaced.unchanged)}</p>`}
  ${
    result.examples.length > 0 &&
    html`
      <ul class="touched">
        ${result.examples.slice(0, SHOWN).map(
          (example) => html`
            <li key=${example.bookingId}>
              <span>
                ${shortDate(example.date)}, ${example.time} · ${t.common.people(example.guests)} · ${example.venueName}
                <span class="quiet"> · ${example.partnerName ?? t.rules.house}</span>
              </span>
              <span class=${example.outcome === 'rejected' ? 'tag bad' : 'tag warn'}>
                ${t.rules.outcomes[example.outcome]}
              </span>
            </li>
          `,
        )}
      </ul>
    `
  }
`;
