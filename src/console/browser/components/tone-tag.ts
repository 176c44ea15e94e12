import { html } from 'htm/preact';
import { Icon } from './icon.ts';

export type Tone = 'good' | 'warn' | 'bad';

/** A state in a word, with a sign beside its colour. */
export const ToneTag = ({ tone, text }: { tone: Tone; text: string }) => html`
  <span class=${`tag ${tone}`}>
    <${Icon} name=${tone === 'good' ? 'check' : 'warning'} size=${14} /> ${text}
  </span>
`;
