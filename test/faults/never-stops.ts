/** A process whose node never comes to the end of its stop. Run as a program. */
import { runUntilStopped } from '../../src/lifecycle.ts';

setInterval(() => {}, 60_000);
await runUntilStopped(async () => {
  console.log('Listening on nothing');
  return { address: '', stop: () => new Promise(() => {}), stopsWithinMs: 300 };
});
