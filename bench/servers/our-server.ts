/** A whole node as production runs it, configured by its environment. */
import { readConfig } from '../../src/config.ts';
import { startNode } from '../../src/node.ts';
import { serve } from './serve.ts';

await serve(() => startNode(readConfig(process.env), { print: () => {} }));
