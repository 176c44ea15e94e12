/** Search in the guides, in memory: there are some hundreds of passages. */
import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';
import type { Passage } from './markdown.ts';

const MAX_WORDS = 8;
const MAX_RESULTS = 20;
const SNIPPET_BEFORE = 60;
const SNIPPET_LENGTH = 220;

export interface IndexedPassage extends Passage {
  /** Of the guide. */
  name: string;
  title: string;
}

export interface Found extends IndexedPassage {
  /** A part of it, in pieces; every second one is what matches. */
  snippet: string[];
}

export interface GuideSearch {
  find(words: string): Found[];
}

/** The package is loaded with the first request for a page. */
export async function openSearch(passages: readonly IndexedPassage[]): Promise<GuideSearch> {
  const { default: Index } = await import('minisearch');
  const index: MiniSearch<IndexedPassage & { id: number }> = new Index({
    fields: ['title', 'text', 'content', 'code'],
    searchOptions: {
      boost: { title: 3, text: 5, code: 0.3 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      maxFuzzy: 2,
    },
  });
  // In chunks, so that other requests are answered in between.
  await index.addAllAsync(passages.map((passage, id) => ({ ...passage, id })));

  function toFound({ id, terms }: SearchResult): Found[] {
    const passage = passages[id];
    return passage ? [{ ...passage, snippet: snippetOf(passage.content, terms) }] : [];
  }
  return {
    find(words) {
      // The index parts words at punctuation too, and each costs a search.
      const terms = new Set(words.split(/[\s\p{Z}\p{P}]+/u).filter(Boolean));
      const query = [...terms].slice(0, MAX_WORDS).join(' ');
      const all = index.search(query, { combineWith: 'AND' });
      // Where no passage has all of the words, those with some of them are better than nothing.
      const found = all.length > 0 ? all : index.search(query);
      return found.slice(0, MAX_RESULTS).flatMap(toFound);
    },
  };
}

/** Where most of the words stand together. */
function snippetOf(content: string, terms: readonly string[]): string[] {
  const text = content.replaceAll(/\s+/g, ' ').trim();
  const matching = new RegExp(`\\b(${terms.map(RegExp.escape).join('|')})`, 'giu');
  const matches = [...text.matchAll(matching)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    index,
  }));
  const wordsAfter = (start: number) =>
    new Set(
      matches
        .filter(({ index }) => index >= start && index < start + SNIPPET_LENGTH - SNIPPET_BEFORE)
        .map(({ word }) => word),
    ).size;
  const best = matches.reduce(
    (before, each) => (wordsAfter(each.index) > wordsAfter(before) ? each.index : before),
    0,
  );
  const from = best <= SNIPPET_BEFORE ? 0 : text.indexOf(' ', best - SNIPPET_BEFORE) + 1;
  const end = text.lastIndexOf(' ', from + SNIPPET_LENGTH);
  const isCut = from + SNIPPET_LENGTH < text.length;
  const shown = isCut ? `${text.slice(from, end)} …` : text.slice(from);
  return `${from > 0 ? '… ' : ''}${shown}`.split(matching);
}
