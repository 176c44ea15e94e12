import { html } from 'htm/preact';
import { useMemo } from 'preact/hooks';

/**
 * A mail as mail programs show it. Its markup never becomes part of the page: it is parsed apart from it, and what is
 * shown is the text of its paragraphs, headings and rows. Styles are taken out first, since the policy of the page
 * forbids them.
 */
export function MailBody({ source }: { source: string }) {
  const parts = useMemo(() => {
    const parsed = new DOMParser().parseFromString(source.replace(/ style="[^"]*"/g, ''), 'text/html');
    return [...parsed.querySelectorAll('p, h2, table')];
  }, [source]);
  return html`<div class="mail-body">${parts.map(shown)}</div>`;
}

function shown(part: Element) {
  if (part.tagName === 'H2') return html`<h3>${part.textContent}</h3>`;
  if (part.tagName === 'P') return html`<p>${textOf(part)}</p>`;
  const rows = [...part.querySelectorAll('tr')];
  return html`
    <dl>
      ${rows.map((row) => html`<div><dt>${row.querySelector('th')?.textContent}</dt><dd>${textOf(row.querySelector('td'))}</dd></div>`)}
    </dl>
  `;
}

/** Line breaks are elements there and characters here. */
const textOf = (element: Element | null) =>
  [...(element?.childNodes ?? [])].map((node) => (node.nodeName === 'BR' ? '\n' : node.textContent)).join('');
