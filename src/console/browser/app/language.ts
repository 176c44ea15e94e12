/** The words of the interface, in the language of the browser unless the person chose another. */
import type { Messages } from '../languages/en.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' } as const;
export type Language = keyof typeof LANGUAGES;

const CHOICE = 'maitred.language';
const isLanguage = (text: string | null | undefined): text is Language => text != null && text in LANGUAGES;

/** A system without a language has tags that `Intl` refuses, such as `en-US@posix`. */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

const preferred = navigator.languages.filter(isTag);

function chosenLanguage(): Language {
  const chosen = localStorage.getItem(CHOICE);
  if (isLanguage(chosen)) return chosen;
  return preferred.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
}

export const language: Language = chosenLanguage();
document.documentElement.lang = language;

/** For `Intl`: the region of the browser where it is of the same language, such as `en-GB`. */
export const locale = preferred.find((tag) => tag.startsWith(language)) ?? language;

export const t: Messages = (await import(`../languages/${language}.ts`)).default;

export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(CHOICE, chosen);
  location.reload();
}
