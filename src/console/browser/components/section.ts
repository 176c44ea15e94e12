import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export interface SectionProps {
  title: string;
  /** What is set inside, in a line, so that it need not be opened to be known. */
  summary?: string;
  isOpen?: boolean;
  /** Something inside was refused: it opens. */
  isWrong?: boolean;
  children: ComponentChildren;
}

/** A part of a long form that folds away. */
export function Section({ title, summary, isOpen = false, isWrong = false, children }: SectionProps) {
  const [open, setOpen] = useState(isOpen);
  useEffect(() => {
    if (isWrong) setOpen(true);
  }, [isWrong]);
  return html`
    <details
      class="panel section"
      open=${open}
      onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>
        <h2>${title}</h2>
        ${!open && summary && html`<p class="quiet small">${summary}</p>`}
      </summary>
      ${open && html`<div class="section-body">${children}</div>`}
    </details>
  `;
}
