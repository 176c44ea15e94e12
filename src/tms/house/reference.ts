/** Digits and capitals that are not taken for one another when read out. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 6;

/** A number that guests and staff can say on the phone, such as `H-7K3M9Q`. Not unique by itself. */
export function makeReference(random: (bound: number) => number): string {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(random(ALPHABET.length)));
  return `H-${characters.join('')}`;
}
