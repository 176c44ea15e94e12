import { t } from '../../app/language.ts';

export const COURSES = ['starter', 'main', 'side', 'dessert', 'drink'] as const;
export const DIETS = ['vegetarian', 'vegan', 'gluten-free', 'dairy-free', 'halal', 'kosher'] as const;
/** The fourteen that must be declared in Britain and in the European Union. */
export const ALLERGENS = [
  'celery',
  'crustaceans',
  'eggs',
  'fish',
  'gluten',
  'lupin',
  'milk',
  'molluscs',
  'mustard',
  'nuts',
  'peanuts',
  'sesame',
  'soya',
  'sulphites',
] as const;

/** Words are kept as they are written; those that everyone uses are shown in the language of the reader. */
const nameIn = (names: Record<string, string>, word: string) =>
  (Object.hasOwn(names, word) ? names[word] : word) ?? word;

export const courseName = (word: string) => nameIn(t.menus.courses, word);
export const wordName = (word: string) => nameIn(t.menus.words, word);
