/** A node as `src/main.ts` runs it, that also knows the system of the storm's bistro. Run as a program. */
import { readConfig } from '../../src/config.ts';
import { runUntilStopped } from '../../src/lifecycle.ts';
import { startNode } from '../../src/node.ts';
import { createRemote } from '../../test/support/remote-tms/connector.ts';

const { STORM_REMOTE_URL: url = '', STORM_REMOTE_SLUG: slug = '' } = process.env;

// What nobody waited for and the database went away from; the driver hides it where errors are printed.
process.on('uncaughtExceptionMonitor', (error) => {
  if ('query' in error) console.error('It died of this statement:', error.query);
});

await runUntilStopped(async () =>
  startNode(readConfig(process.env), { connectors: [createRemote(url, slug)] }),
);
