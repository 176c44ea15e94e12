import { html } from 'htm/preact';
import { CopyButton } from './copy-button.ts';

/** Something to be copied into a terminal or a file. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => html`
  <div class="code-block">
    <pre tabindex="0" role="region" aria-label=${label}>${text}</pre>
    <${CopyButton} text=${text} />
  </div>
`;
