/** The pages of the guides: each of them, the front with all of them, and what a search finds. */
import { setImmediate } from 'node:timers/promises';
import { isProblemCode } from '../../kernel/problem-catalogue.ts';
import { escapeHtml, type Page } from './frame.ts';
import { GUIDES, type Guide, markdownOf, SECTIONS } from './guide-list.ts';
import { type Found, type GuideSearch, openSearch } from './guide-search.ts';
import { openRenderer, type RenderedGuide } from './markdown.ts';

interface Book extends RenderedGuide {
  title: string;
}

/** All guides, ready to be shown. */
export interface Library {
  books: ReadonlyMap<Guide, Book>;
  search: GuideSearch;
}

export async function openLibrary(publicUrl: string): Promise<Library> {
  const renderer = await openRenderer();
  const books = new Map<Guide, Book>();
  for (const guide of GUIDES) {
    const rendered = renderer.render(markdownOf(guide, publicUrl));
    books.set(guide, { ...rendered, title: rendered.passages[0]?.text ?? guide.name });
    // Other requests are answered in between.
    await setImmediate();
  }
  const passages = [...books].flatMap(([{ name }, { title, passages }]) =>
    passages.map((passage) => ({ ...passage, name, title })),
  );
  return { books, search: await openSearch(passages) };
}

const titleIn = ({ books }: Library, guide: Guide) => escapeHtml(books.get(guide)?.title ?? guide.name);

function navigation(library: Library, current?: Guide): string {
  const sections = SECTIONS.map(({ heading, guides }) => {
    const items = guides.map((guide) => {
      const mark = guide === current ? ' aria-current="page"' : '';
      return `<li><a href="${guide.name}"${mark}>${titleIn(library, guide)}</a></li>`;
    });
    return `<h2>${heading}</h2>\n<ul>${items.join('\n')}</ul>`;
  });
  return `<nav class="guides" aria-label="Guides">\n${sections.join('\n')}\n</nav>`;
}

function onThisPage({ passages }: Book): string {
  const items = passages
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(
      ({ depth, anchor, text }) =>
        `<li class="depth-${depth}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
    );
  if (items.length < 2) return '';
  return `<nav class="contents" aria-label="On this page"><details>\n<summary>On this page</summary>\n<ul>${items.join('\n')}</ul>\n</details></nav>`;
}

function neighbours(library: Library, guide: Guide): string {
  const at = GUIDES.indexOf(guide);
  const link = (other: Guide | undefined, rel: 'prev' | 'next', label: string) =>
    other
      ? `<a rel="${rel}" href="${other.name}"><span>${label}</span> ${titleIn(library, other)}</a>`
      : '<span></span>';
  return `<nav class="neighbours" aria-label="Previous and next">${link(GUIDES[at - 1], 'prev', 'Previous')}${link(GUIDES[at + 1], 'next', 'Next')}</nav>`;
}

export function guidePage(guide: Guide, library: Library): Page {
  const book = library.books.get(guide);
  if (!book) throw new Error(`${guide.name} is not among the guides.`);
  const section = SECTIONS.find(({ guides }) => guides.includes(guide));
  return {
    title: `${book.title} · Maitred`,
    root: '../',
    content: `<p class="section">${section?.heading}</p>
<article>
${book.html}</article>
<p class="source"><a href="${guide.name}.md">This page as Markdown</a></p>
${neighbours(library, guide)}`,
    contents: onThisPage(book),
    navigation: navigation(library, guide),
  };
}

export function frontPage(library: Library): Page {
  const sections = SECTIONS.map(({ heading, audience, guides }) => {
    const items = guides.map(
      (guide) =>
        `<li><a href="${guide.name}"><strong>${titleIn(library, guide)}</strong><span>${escapeHtml(guide.about)}</span></a></li>`,
    );
    return `<section><h2>${heading}</h2>\n<p>${escapeHtml(audience)}</p>\n<ul class="cards">${items.join('\n')}</ul></section>`;
  });
  return {
    title: 'Guides · Maitred',
    root: '../',
    content: `<h1>Guides</h1>
<p class="lead">Read what concerns you, or search all of it. Every call with its fields is in the <a href="./">reference for partners</a> and in that <a href="manage/">for operators and the platform</a>; <a href="../problems">problem codes</a> have pages of their own.</p>
${sections.join('\n')}`,
  };
}

function resultOf({ name, depth, anchor, title, text, snippet }: Found): string {
  const where = depth === 1 ? escapeHtml(title) : `<span>${escapeHtml(title)}</span> ${escapeHtml(text)}`;
  const shown = snippet.map((piece, index) =>
    index % 2 === 1 ? `<mark>${escapeHtml(piece)}</mark>` : escapeHtml(piece),
  );
  const href = depth === 1 ? name : `${name}#${anchor}`;
  return `<li><h2><a href="${href}">${where}</a></h2>\n<p>${shown.join('')}</p></li>`;
}

/** A code has a page that says more about it than any guide. */
function codePage(words: string): string {
  const code = words.toUpperCase();
  if (!isProblemCode(code)) return '';
  return `<p class="lead"><a href="../problems/${code}">What ${code} means, and what to do</a></p>\n`;
}

export function searchPage(words: string, library: Library): Page {
  const found = library.search.find(words);
  const results = `<ol class="results">${found.map(resultOf).join('\n')}</ol>`;
  const nothing =
    '<p>Try fewer or other words, or look through <a href="guides">all guides</a> and the <a href="./">reference</a>.</p>';
  return {
    title: `${words} · Maitred guides`,
    root: '../',
    query: words,
    content: `<h1>${found.length === 0 ? 'Nothing found' : 'Found'} for «${escapeHtml(words)}»</h1>
${codePage(words)}${found.length === 0 ? nothing : results}`,
    navigation: navigation(library),
  };
}
