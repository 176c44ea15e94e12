/** The documents, and the blocks of code in them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
export const DOCUMENTS = globSync(['*.md', 'docs/*.md'], { cwd: ROOT }).sort();
export const readDocument = (document: string) => readFileSync(join(ROOT, document), 'utf8');

export interface Block {
  document: string;
  line: number;
  language: string;
  text: string;
  /** Nothing but empty lines stands between it and the block before. */
  follows: Block | undefined;
}

const FENCE = /^```(\w*)\n(.*?)^```$/gms;

export function blocksOf(document: string, content = readDocument(document)): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const match of content.matchAll(FENCE)) {
    const [whole, language = '', text = ''] = match;
    const between = content.slice(end, match.index);
    const follows = between.trim() === '' ? blocks.at(-1) : undefined;
    const line = content.slice(0, match.index).split('\n').length;
    blocks.push({ document, line, language, text: text.trimEnd(), follows });
    end = match.index + whole.length;
  }
  return blocks;
}

export const placeOf = ({ document, line }: Block) => `${document}:${line}`;

/** What can be run or held against something; `text` is compared where it shows what a command prints. */
const PROMISING = ['sh', 'json', 'http', 'ts', 'python', 'sql', 'ini', ''];

/** A program that does something by itself, not a part of one: it says what it stands on. */
export const isProgram = ({ language, text }: Block) =>
  (language === 'ts' && text.includes("from '@maitred/client'")) ||
  (language === 'python' && /^import requests$/m.test(text));

/** A block that shows what the command or program before it prints. */
export const isAnswer = ({ language, follows }: Block) =>
  follows !== undefined &&
  (follows.language === 'sh' || isProgram(follows)) &&
  (language === 'json' || language === 'text');

/** Blocks that promise something. */
export const promises = (block: Block) => isAnswer(block) || PROMISING.includes(block.language);
