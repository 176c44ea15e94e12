/** How often something is repeated: less in `npm test`, which is run many times a day, in full in `npm run test:all`. */
export const repeats = (inFull: number, short: number): number =>
  process.env.MAITRED_TEST_ALL === '1' ? inFull : short;
