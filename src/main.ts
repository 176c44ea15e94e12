import { readConfig } from './config.ts';
import { runUntilStopped } from './lifecycle.ts';
import { startNode } from './node.ts';

await runUntilStopped(async () => startNode(readConfig(process.env), { hasEvening: true }));
