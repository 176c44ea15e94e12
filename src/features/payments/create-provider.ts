import type { Config } from '../../config.ts';
import type { PaymentProvider } from './provider.ts';
import { createSandboxProvider, type SandboxDeps } from './sandbox/provider.ts';

export interface ProviderDeps extends Omit<SandboxDeps, 'publicUrl'> {
  config: Pick<Config, 'environment' | 'publicUrl'>;
}

/** The provider that the settings name; null: payments cannot be taken. */
export function createProvider({ config, sql, clock }: ProviderDeps): PaymentProvider | null {
  if (config.environment === 'live') return null;
  return createSandboxProvider({ sql, clock, publicUrl: config.publicUrl });
}
