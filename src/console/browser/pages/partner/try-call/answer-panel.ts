import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { CodeBlock } from '../../../components/code-block.ts';
import { type Tone, ToneTag } from '../../../components/tone-tag.ts';
import type { Answer } from './send.ts';

const toneOf = (status: number): Tone => {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
};

/** Status, headers and body, as they came. */
export const AnswerPanel = ({ answer }: { answer: Answer }) => html`
  <section class="panel" aria-live="polite">
    <header>
      <h2>${t.tryCall.answer}</h2>
      <div class="row">
        <${ToneTag} tone=${toneOf(answer.status)} text=${`${answer.status} ${answer.statusText}`.trim()} />
        <span class="quiet">${t.health.ms(answer.durationMs)}</span>
      </div>
    </header>
    ${answer.body !== '' && html`<${CodeBlock} label=${t.tryCall.answerBody} text=${answer.body} />`}
    <details class="fold">
      <summary>${t.tryCall.answerHeaders}</summary>
      <dl class="fact-pairs">
        ${answer.headers.map(
          ([name, value]) => html`
            <dt><code>${name}</code></dt>
            <dd class="break"><code>${value}</code></dd>
          `,
        )}
      </dl>
    </details>
  </section>
`;
