/** The page behind the link in mails of the waiting list. It loads nothing and needs no script. */
import { hash } from 'node:crypto';
import { clockTime } from '../../../kernel/zone-time.ts';
import { dayIn, escapeHtml, type Language, momentIn } from '../../notifications/service.ts';
import type { EntryRecord } from '../store.ts';
import { PAGE_TEXTS, type PageTexts, type Refusal } from './texts.ts';

export interface Page {
  html: string;
  headers: Record<string, string>;
}

export interface EntryPageOptions {
  language: Language;
  /** Of the page itself. */
  address: string;
  /** Why the offer could not be booked. */
  refusal: Refusal | null;
}

export function entryPage(entry: EntryRecord, { language, address, refusal }: EntryPageOptions): Page {
  const texts = PAGE_TEXTS[language];
  const { status, venue } = entry;
  const button = (action: 'take' | 'leave', label: string) =>
    `<form method="post" action="${escapeHtml(address)}/${action}"><button class="${action}">${escapeHtml(label)}</button></form>`;
  return pageOf(language, venue.name, [
    `<h1>${escapeHtml(venue.name)}</h1>`,
    ...(refusal ? [`<p class="refused" role="alert">${escapeHtml(texts.refusal[refusal])}</p>`] : []),
    `<p class="state">${escapeHtml(stateOf(entry, language, texts))}</p>`,
    factsOf(entry, language, texts),
    ...(status === 'offered' ? [button('take', texts.take)] : []),
    ...(status === 'waiting' || status === 'offered' ? [button('leave', texts.leave)] : []),
  ]);
}

/** For a link that has ended, or never was one. */
export function endedPage(language: Language): Page {
  const { ended, endedTitle } = PAGE_TEXTS[language];
  return pageOf(language, endedTitle, [`<h1>${escapeHtml(endedTitle)}</h1>`, `<p>${escapeHtml(ended)}</p>`]);
}

/** For what may work in a moment. */
export function failedPage(language: Language): Page {
  const { failed, failedTitle } = PAGE_TEXTS[language];
  return pageOf(language, failedTitle, [
    `<h1>${escapeHtml(failedTitle)}</h1>`,
    `<p>${escapeHtml(failed)}</p>`,
  ]);
}

function stateOf(entry: EntryRecord, language: Language, texts: PageTexts): string {
  const { status, bookingStatus, offer, venue } = entry;
  if (status === 'booked' && bookingStatus === 'pending') return texts.unpaid;
  if (status === 'booked' && bookingStatus === 'cancelled') return texts.cancelled;
  if (status !== 'offered' || !offer) return texts.state[status === 'offered' ? 'waiting' : status];
  return texts.offered(momentIn(language, venue.timeZone, offer.endsAt).time);
}

function factsOf(entry: EntryRecord, language: Language, texts: PageTexts): string {
  const { venue, offer, status, adults, children } = entry;
  const isPlaced = offer !== null && (status === 'offered' || status === 'booked');
  const [from, to] = [clockTime(entry.fromMinute), clockTime(entry.toMinute)];
  const time = isPlaced ? clockTime(offer.minute) : from === to ? from : `${from} – ${to}`;
  const rows: [string, string][] = [
    [texts.date, dayIn(language, entry.date)],
    [texts.time, time],
    [texts.guests, String(adults + children)],
    [texts.booked, venue.productName],
    ...(venue.address === '' ? [] : ([[texts.address, venue.address]] as [string, string][])),
  ];
  return `<dl>${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`;
}

function pageOf(language: Language, title: string, content: readonly string[]): Page {
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>
${content.join('\n')}
</main></body>
</html>
`;
  return { html, headers: HEADERS };
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #e0e1e6; --paper: #fcfcfd; --card: #ffffff;
  --accent: #8b2e1f; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #edeef0; --soft: #b0b4ba; --line: #363a3f; --paper: #111113; --card: #18191b; --accent: #ff977d;
    --on-accent: #111113; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 system-ui, sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 1rem; text-wrap: balance; }
.state { font-size: 1.15rem; }
.refused { border: 1px solid var(--accent); border-radius: 8px; padding: .6rem 1rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .3rem 1.2rem; border-top: 1px solid var(--line);
  border-bottom: 1px solid var(--line); padding: 1rem 0; margin: 1.5rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
button { width: 100%; min-height: 48px; border-radius: 8px; font: inherit; cursor: pointer; margin-bottom: .8rem;
  border: 1px solid var(--accent); }
button.take { background: var(--accent); color: var(--on-accent); font-weight: 600; }
button.leave { background: var(--card); color: var(--ink); border-color: var(--soft); }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
};
