/** A node as `src/main.ts` runs it, that also says which statement it died of. Run as a program. */
import { readConfig } from '../../src/config.ts';
import { runUntilStopped } from '../../src/lifecycle.ts';
import { startNode } from '../../src/node.ts';

// What nobody waited for and the database went away from; the driver hides it where errors are printed.
process.on('uncaughtExceptionMonitor', (error) => {
  if ('query' in error) console.error('It died of this statement:', error.query);
});

await runUntilStopped(async () => startNode(readConfig(process.env)));
