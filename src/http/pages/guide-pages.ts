/** The pages of the guides: each of them, the front with all of them, and what a search finds. */
import { setImmediate } from 'node:timers/promises';
import { isProblemCode } from '../../kernel/problem-catalogue.ts';
import { escapeHtml, type Page } from './frame.ts';
import { GUIDES, type Guide, markdownOf, SECTIONS } from './guide-list.ts';
import { type Found, type GuideSearch, openSearch } from './guide-search.ts';
import { openRenderer, type RenderedGuide } from './markdown.ts';

interface TitledGuide extends RenderedGuide {
  title: string;
}

/** All guides, ready to be shown. */
export interface GuideSet {
  rendered: ReadonlyMap<Guide, TitledGuide>;
  search: GuideSearch;
}

export async function openGuides(publicUrl: string): Promise<GuideSet> {
  const renderer = await openRenderer();
  const rendered = new Map<Guide, TitledGuide>();
  for (const guide of GUIDES) {
    const page = renderer.render(markdownOf(guide, publicUrl));
    rendered.set(guide, { ...page, title: page.passages[0]?.text ?? guide.name });
    // Other requests are answered in between.
    await setImmediate();
  }
  const passages = [...rendered].flatMap(([{ name }, { title, passages }]) =>
    passages.map((passage) => ({ ...passage, name, title })),
  );
  return { rendered, search: await openSearch(passages) };
}

const titleIn = ({ rendered }: GuideSet, guide: Guide) =>
  escapeHtml(rendered.get(guide)?.title ?? guide.name);

function navigation(guideSet: GuideSet, current?: Guide): string {
  const sections = SECTIONS.map(({ heading, guides }) => {
    const items = guides.map((guide) => {
      const mark = guide === current ? ' aria-current="page"' : '';
      return `<li><a href="${guide.name}"${mark}>${titleIn(guideSet, guide)}</a></li>`;
    });
    return `<h2>${heading}</h2>\n<ul>${items.join('\n')}</ul>`;
  });
  return `<nav class="guides" aria-label="Guides">\n${sections.join('\n')}\n</nav>`;
}

function onThisPage({ passages }: TitledGuide): string {
  const items = passages
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(
      ({ depth, anchor, text }) =>
        `<li class="depth-${depth}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
    );
  if (items.length < 2) return '';
  return `<nav class="contents" aria-label="On this page"><details>\n<summary>On this page</summary>\n<ul>${items.join('\n')}</ul>\n</details></nav>`;
}

function neighbours(guideSet: GuideSet, guide: Guide): string {
  const at = GUIDES.indexOf(guide);
  const link = (other: Guide | undefined, rel: 'prev' | 'next', label: string) =>
    other
      ? `<a rel="${rel}" href="${other.name}"><span>${label}</span> ${titleIn(guideSet, other)}</a>`
      : '<span></span>';
  return `<nav class="neighbours" aria-label="Previous and next">${link(GUIDES[at - 1], 'prev', 'Previous')}${link(GUIDES[at + 1], 'next', 'Next')}</nav>`;
}

export function guidePage(guide: Guide, guideSet: GuideSet): Page {
  const page = guideSet.rendered.get(guide);
  if (!page) throw new Error(`${guide.name} is not among the guides.`);
  const section = SECTIONS.find(({ guides }) => guides.includes(guide));
  return {
    title: `${page.title} · Maitred`,
    root: '../',
    content: `<p class="section">${section?.heading}</p>
<article>
${page.html}</article>
<p class="source"><a href="${guide.name}.md">This page as Markdown</a></p>
${neighbours(guideSet, guide)}`,
    contents: onThisPage(page),
    navigation: navigation(guideSet, guide),
  };
}

export function frontPage(guideSet: GuideSet): Page {
  const sections = SECTIONS.map(({ heading, audience, guides }) => {
    const items = guides.map(
      (guide) =>
        `<li><a href="${guide.name}"><strong>${titleIn(guideSet, guide)}</strong><span>${escapeHtml(guide.about)}</span></a></li>`,
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

export function searchPage(words: string, guideSet: GuideSet): Page {
  const found = guideSet.search.find(words);
  const results = `<ol class="results">${found.map(resultOf).join('\n')}</ol>`;
  const nothing =
    '<p>Try fewer or other words, or look through <a href="guides">all guides</a> and the <a href="./">reference</a>.</p>';
  return {
    title: `${words} · Maitred guides`,
    root: '../',
    query: words,
    content: `<h1>${found.length === 0 ? 'Nothing found' : 'Found'} for «${escapeHtml(words)}»</h1>
${codePage(words)}${found.length === 0 ? nothing : results}`,
    navigation: navigation(guideSet),
  };
}
