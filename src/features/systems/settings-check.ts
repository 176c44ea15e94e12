/** Holds settings and credentials against what a protocol says of them, and their addresses against the environment. */
import { type TObject, Type } from 'typebox';
import type { Config } from '../../config.ts';
import { checkerOf } from '../../http/validation/validation.ts';
import type { Reach } from '../../kernel/addresses.ts';
import { type FieldErrors, Problem, problem } from '../../kernel/problem.ts';
import { findObstacle, type Resolve } from '../../kernel/safe-connector.ts';

/** By field; undefined: all of it fits. What the schema does not name is a fault too. */
export function faultsIn(schema: TObject, value: unknown, name: string): FieldErrors | undefined {
  const whole = Type.Object({ [name]: { ...schema, additionalProperties: false } });
  try {
    checkerOf(whole)({ [name]: value });
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.options.errors ?? {};
    throw error;
  }
}

/** All faults in one sentence. */
export const sentenceOf = (faults: FieldErrors): string =>
  `${Object.entries(faults)
    .map(([field, messages]) => `${field} ${messages.join(' and ')}`)
    .join('; ')}.`;

/** The sandbox knows this machine alone; elsewhere it is known where webhooks may go there too. */
export function reachOf({
  environment,
  webhookAllowLoopback,
}: Pick<Config, 'environment' | 'webhookAllowLoopback'>): Reach {
  if (environment === 'sandbox') return { allowLoopback: true, isLoopbackOnly: true };
  return { allowLoopback: environment === 'staging' && webhookAllowLoopback };
}

export interface AddressCheck {
  /** Which settings name an address that may not be called; by name. In the sandbox that is a refusal of its own. */
  faultsIn(settings: Readonly<Record<string, unknown>>, name: string): Promise<FieldErrors | undefined>;
}

/** Whatever begins like one is an address: a protocol cannot be used to reach what is not allowed. */
const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^\s*https?:/i.test(value);

export function createAddressCheck(
  config: Pick<Config, 'environment' | 'webhookAllowLoopback'>,
  resolve: Resolve | undefined,
): AddressCheck {
  const reach = { ...reachOf(config), ...(resolve && { resolve }) };

  async function faultOf(text: string): Promise<string | undefined> {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || url.username !== '' || url.password !== '' || url.hash !== '')
      return 'must be an address without credentials and without "#"';
    if (url.protocol === 'http:' && !reach.allowLoopback) return 'must begin with https://';
    const obstacle = await findObstacle(url, reach);
    if (obstacle === undefined) return undefined;
    if (config.environment === 'sandbox')
      throw problem('SBOX-N-001', {
        detail: 'The sandbox is connected with systems on this machine only.',
      });
    return obstacle === 'dns'
      ? 'names a host that cannot be found'
      : 'must be an https address that all the internet can reach';
  }

  return {
    async faultsIn(settings, name) {
      const faults: FieldErrors = {};
      for (const [field, value] of Object.entries(settings)) {
        const fault = isAddress(value) ? await faultOf(value) : undefined;
        if (fault) faults[`${name}.${field}`] = [fault];
      }
      return Object.keys(faults).length > 0 ? faults : undefined;
    },
  };
}
