/**
 * Loaded before a node: the clock of its machine runs too fast or too slow. Nodes measure the clock of the database
 * every five seconds and count on by their own, so that two of them differ by a second or two before they measure again.
 */
const rate = Number(process.env.TEST_CLOCK_RATE);

const { now } = performance;
const began = now.call(performance);
performance.now = () => began + (now.call(performance) - began) * rate;
