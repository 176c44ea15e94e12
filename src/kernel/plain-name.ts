/**
 * Whether a name holds nothing that readers cannot see. Direction marks and zero-width characters make one name look
 * like another, or turn the text around it. Some scripts and emoji need a few of them in certain places: there they are
 * part of the spelling (after UAX 31, 2.3), anywhere else they are refused.
 */

/** Whose letters are joined or kept apart by U+200C and U+200D. */
const JOINING_SCRIPTS =
  'Arab Syrc Mand Nkoo Adlm Rohg Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt';
const LETTER = `[[${JOINING_SCRIPTS.split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]&&[\\p{L}\\p{M}]]`;
/** Silences the vowel of an Indic letter; with U+200D after it, also at the end of a word. */
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]';

const PART_OF_SPELLING = new RegExp(
  [
    `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`,
    `(?<=${VIRAMA})\\u200d`,
    // Emoji that are made of several, and marks that say how one is drawn.
    '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})',
    '(?<=[\\p{Emoji}--[0-9#*]])[\\ufe0e\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    // Variants of one character, which family names in Japan tell apart.
    '(?<=\\p{scx=Hani})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
    '(?<=\\p{scx=Mong})[\\u180b-\\u180f]',
  ].join('|'),
  'gv',
);

/** Direction marks are among those that Unicode calls ignorable by default. */
const INVISIBLE = /[\p{DI}\u2028\u2029\ufff9-\ufffb]/u;

export function isPlainName(text: string): boolean {
  return !INVISIBLE.test(text) || !INVISIBLE.test(text.replaceAll(PART_OF_SPELLING, ''));
}
