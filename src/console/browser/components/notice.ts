import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import type { ApiProblem } from '../app/api.ts';
import { t } from '../app/language.ts';
import type { Loaded } from '../app/load.ts';
import { Icon } from './icon.ts';

interface ProblemProps {
  problem: ApiProblem | undefined;
  /** Loads what another person has changed meanwhile: what was typed stays until its author gives it up. */
  onReload?: (() => void) | undefined;
}

/** A refusal in the words of the service, with its code, which leads to its page. */
export const Problem = ({ problem, onReload }: ProblemProps) =>
  problem && problem.status !== 0
    ? html`
        <div class="notice refused" role="alert">
          <${Icon} name="warning" />
          <div>
            <p>${problem.isChangedMeanwhile ? t.common.changedMeanwhile : problem.message}</p>
            ${Object.entries(problem.errors).map(
              ([field, messages]) => html`<p class="small"><code>${field}</code> ${messages.join('; ')}</p>`,
            )}
            ${problem.code && html`<a class="code" href=${`/problems/${problem.code}`} target="_blank">${problem.code}</a>`}
            ${
              problem.isChangedMeanwhile &&
              onReload &&
              html`<p><button type="button" class="button small" onClick=${onReload}>${t.common.loadCurrent}</button></p>`
            }
          </div>
        </div>
      `
    : null;

export interface EmptyProps {
  title: string;
  /** What this is for and the first thing to do. */
  text?: string;
  /** It is all that the page has, so its title is that of the page. */
  isWhole?: boolean;
  children?: ComponentChildren;
}

export const Empty = ({ title, text, isWhole = false, children }: EmptyProps) => html`
  <div class="empty">
    <${isWhole ? 'h1' : 'h2'}>${title}<//>
    ${text && html`<p>${text}</p>`} ${children}
  </div>
`;

/** What was loaded, the refusal, or a quiet placeholder while nothing is known yet. */
export function Loading<T>({
  loaded,
  children,
}: {
  loaded: Loaded<T>;
  children: (data: T) => ComponentChildren;
}) {
  if (loaded.data !== undefined) {
    return html`<${Problem} problem=${loaded.problem} />${children(loaded.data)}`;
  }
  if (loaded.problem) return html`<${Problem} problem=${loaded.problem} />`;
  return html`<div class="placeholder" aria-busy="true" aria-label=${t.common.loading}></div>`;
}
