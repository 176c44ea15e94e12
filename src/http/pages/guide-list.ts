/** Which files of the repository are guides, for whom, and in which order they are read. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');

export interface Guide {
  /** Of the file, from the root of the repository. */
  path: string;
  /** The last part of its address, as in `/docs/holds` and `/docs/holds.md`. */
  name: string;
  /** What to read it for. */
  about: string;
}

export interface Section {
  heading: string;
  audience: string;
  guides: Guide[];
  /** Programs that have little room may leave it out. */
  isOptional: boolean;
}

const section = (
  heading: string,
  audience: string,
  guides: Record<string, string>,
  isOptional = false,
): Section => ({
  heading,
  audience,
  isOptional,
  guides: Object.entries(guides).map(([path, about]) => ({ path, name: posix.basename(path, '.md'), about })),
});

/** Guides about the code itself (decisions, internals, the database) are for those who have it, and are not served. */
export const SECTIONS: readonly Section[] = [
  section('Start', 'For everyone who builds on Maitred', {
    'docs/first-booking.md': 'from nothing to a confirmed booking, in TypeScript, Python and curl',
    'docs/client.md': 'tokens, retries, errors, pages, webhooks and the feed, done for you',
    'docs/cli.md': 'look, book, receive webhooks on your own machine, follow your calls',
    'README.md': 'what Maitred is, the first five calls over HTTP, and where to go from there',
  }),
  section('Sell tables and tickets', 'For the developers of booking sites and booking engines', {
    'docs/webhooks.md': 'be told of changes, verify signatures, replay',
    'docs/feed.md': 'availability of half a year as files',
    'docs/tickets.md': 'find events, book tickets, change and cancel them',
    'docs/enquiries.md': 'starts that the venue has to agree to: ask, wait, write, be answered',
    'docs/failures.md':
      'refusals, repeats, unknown outcomes, what to do about each code, and faults on demand',
  }),
  section('In detail', 'One subject each', {
    'docs/bookings.md': 'how a booking is made, its states, repeats, amendments and cancellation',
    'docs/availability.md': 'how free starts are worked out',
    'docs/find-tables.md': 'the best free tables over many venues with one question',
    'docs/search.md': 'find venues by words, and how the search understands them',
    'docs/holds.md': 'keep a place and its terms while a guest decides',
    'docs/waitlist.md': 'wait for a place where nothing is free',
    'docs/rules.md': 'what operators demand of bookings, and how to know it beforehand',
    'docs/payments.md': 'deposits, payments and refunds, and the cards of the sandbox',
    'docs/orders.md': 'several bookings with one request, also all or nothing',
    'docs/listings.md': 'venues and events side by side',
    'docs/octo.md': 'tickets and tables for those who speak OCTO',
  }),
  section('Agents', 'For those who build agents that book for people', {
    'docs/agents.md': 'connect an agent over MCP: tools, a whole conversation, mandates, errors',
    'docs/mandates.md': 'what a client may do at most, and what a person has to confirm',
  }),
  section(
    'Run venues',
    'For restaurants and the companies that run them',
    {
      'docs/console.md': 'the pages for people at /console',
      'docs/management.md': 'venues, people, rules and an evening, over HTTP',
    },
    true,
  ),
  section(
    'Table systems',
    'For makers of table management systems',
    { 'docs/connect.md': 'join with your system: the protocol, a reference server, a check' },
    true,
  ),
  section(
    'Run Maitred',
    'For those who operate the service',
    {
      'docs/deploying.md': 'one machine with systemd, containers, Kubernetes, and the proxy in front',
      'docs/configuration.md': 'every setting, your own PostgreSQL, several nodes, commands',
      'docs/operating.md': 'watch, upgrade, back up, and what to do at three in the morning',
      'docs/observing.md': 'metrics, logs and traces',
      'docs/failover.md': 'standbys: how to set them up, what they answer, what happens when one takes over',
      'docs/growth.md': 'what it carries, what is kept for how long, and what to do as it grows',
      'docs/backup.md': 'backup and restore, moving to another database, going back to a minute',
      'docs/keys.md': 'encryption keys, signing keys and secrets: replaced, leaked, lost',
    },
    true,
  ),
];

export const GUIDES: readonly Guide[] = SECTIONS.flatMap(({ guides }) => guides);

export const readRepositoryFile = (path: string) => readFileSync(join(ROOT, path), 'utf8');

export const titleOf = (markdown: string) => /^# (.+)$/m.exec(markdown)?.[1] ?? '';

/** Where each file of the repository is served, below `/docs`. */
const SERVED = new Map([
  ...GUIDES.map(({ path, name }) => [path, `${name}.md`] as const),
  ['docs/connect.openapi.json', 'connect.openapi.json'],
  ['openapi.json', '../openapi.json'],
]);

/** The address that the guides show in their examples. */
const SHOWN_ADDRESS = 'http://127.0.0.1:3000';

const FENCED = /^```.*?^```$/gms;
const LINK = /!?\[([^\]]*)\]\(([^)\s]+)\)/g;
const PICTURE = /<img [^>]*>/g;

/**
 * Links lead to what is served; others lead into the repository, which the reader does not have, and become text. They
 * are relative, as the service may stand below a path of its own.
 */
function withServedLinks(markdown: string, path: string): string {
  return markdown.replace(PICTURE, '').replace(LINK, (whole, text: string, target: string) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return whole;
    const [file = '', anchor] = target.split('#');
    const served = SERVED.get(posix.join(posix.dirname(path), file));
    if (served === undefined) return whole.startsWith('!') ? '' : text;
    return `[${text}](${served}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** Commands can be copied as they are: they go to this service. */
const withAddress = (markdown: string, publicUrl: string) =>
  markdown.replace(FENCED, (block) => block.replaceAll(SHOWN_ADDRESS, publicUrl));

/** A guide as it is served as Markdown. */
export const markdownOf = ({ path }: Guide, publicUrl: string) =>
  withAddress(withServedLinks(readRepositoryFile(path), path), publicUrl);
