import type { Config } from '../../config.ts';
import type { Log } from '../../kernel/log.ts';
import type { PaymentProvider } from './provider.ts';
import { createSandboxProvider, type SandboxDeps } from './sandbox/provider.ts';

export interface ProviderDeps extends Omit<SandboxDeps, 'publicUrl'> {
  config: Pick<Config, 'environment' | 'publicUrl' | 'stripe'>;
  log: Pick<Log, 'error'>;
}

/** The provider that the settings name; null: payments cannot be taken. */
export async function createProvider({
  config,
  sql,
  clock,
  log,
}: ProviderDeps): Promise<PaymentProvider | null> {
  if (config.stripe) {
    // Its package is large, and most nodes of tests and sandboxes need none of it.
    const { createStripeProvider } = await import('./stripe/provider.ts');
    return createStripeProvider({ ...config.stripe, log });
  }
  if (config.environment === 'live') return null;
  return createSandboxProvider({ sql, clock, publicUrl: config.publicUrl });
}
