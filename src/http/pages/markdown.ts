/** Guides as HTML: what the guides use of Markdown, with anchors as GitHub makes them, and no HTML of their own. */
import type { Marked, Token, Tokens } from 'marked';
import { isProblemCode } from '../../kernel/problem-catalogue.ts';
import { escapeHtml } from './frame.ts';

export interface Heading {
  depth: number;
  anchor: string;
  text: string;
}

/** A part of a guide that a search finds: what stands below one heading. */
export interface Passage extends Heading {
  content: string;
  /** The examples in it. */
  code: string;
}

export interface RenderedGuide {
  html: string;
  /** In their order; the first is the title. */
  passages: Passage[];
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Without marks; cells and items are told apart. */
function textOf(token: Token): string {
  switch (token.type) {
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flat().map(joinedText).join(' · ');
    }
    case 'list':
      return (token as Tokens.List).items.map((item) => item.tokens.map(textOf).join(' ')).join(' · ');
    case 'space':
    case 'html':
      return '';
    default:
      return 'tokens' in token && token.tokens ? joinedText(token) : 'text' in token ? token.text : '';
  }
}

const joinedText = ({ tokens = [] }: { tokens?: Token[] }) => tokens.map(textOf).join('');

function passagesOf(tokens: readonly Token[]): Passage[] {
  const passages: Passage[] = [];
  for (const token of tokens) {
    const passage = passages.at(-1);
    if (token.type === 'heading') {
      const text = joinedText(token);
      passages.push({
        depth: (token as Tokens.Heading).depth,
        anchor: anchorOf(text),
        text,
        content: '',
        code: '',
      });
    } else if (passage) passage[token.type === 'code' ? 'code' : 'content'] += ` ${textOf(token)}`;
  }
  return passages;
}

/** Other guides are pages here; what is no guide keeps its address. */
const hrefOf = (href: string) => href.replace(/^([\w-]+)\.md(?=#|$)/, '$1');

export interface Renderer {
  render(markdown: string): RenderedGuide;
}

/** The package is loaded with the first request for a page. */
export async function openRenderer(): Promise<Renderer> {
  const { Marked } = await import('marked');
  const marked: Marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchorOf(joinedText({ tokens }));
        const text = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${anchor}">${text}</h1>\n`;
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${text}</a></h${depth}>\n`;
      },
      // Both scroll by themselves on a narrow screen, by keyboard too.
      code: ({ text }) =>
        `<div class="example"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`,
      table({ header, rows }) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${row(header, 'th')}</thead>\n<tbody>${body}</tbody></table></div>\n`;
      },
      // Wherever a guide names a problem, its page is a click away.
      codespan: ({ text }) =>
        isProblemCode(text)
          ? `<a href="../problems/${text}"><code>${text}</code></a>`
          : `<code>${escapeHtml(text)}</code>`,
      link({ href, tokens }) {
        return `<a href="${escapeHtml(hrefOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      html: ({ text }) => escapeHtml(text),
      image: () => '',
    },
  });
  return {
    render(markdown) {
      const tokens = marked.lexer(markdown);
      return { html: marked.parser(tokens), passages: passagesOf(tokens) };
    },
  };
}
