/** The application with a payment provider on loopback, a clock that can be moved on, and nodes that can die. */
import { after, before } from 'node:test';
import type { PaymentProvider } from '../../../src/features/payments/provider.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createProviderConnector } from '../../support/payment-provider/connector.ts';
import { type PaymentServer, startPaymentServer } from '../../support/payment-provider/server.ts';

/** Where the node that carries out the next payment dies, as far as the request can tell. */
type Death = 'before charging' | 'after charging';

export interface ProviderApp {
  app(): TestApp;
  server(): PaymentServer;
  passSeconds(seconds: number): void;
  /** Tokens of now are worth nothing a few hours later. */
  returnToNow(): void;
  dieOnce(death: Death): void;
}

export function providerApp(): ProviderApp {
  let app: TestApp;
  let server: PaymentServer;
  let passedSeconds = 0;
  let death: Death | undefined;

  function mortal(provider: PaymentProvider): PaymentProvider {
    return {
      ...provider,
      async charge(call, charge) {
        const dies = death;
        death = undefined;
        if (dies === 'before charging') throw new Error('died');
        const outcome = await provider.charge(call, charge);
        if (dies === 'after charging') throw new Error('died');
        return outcome;
      },
    };
  }

  before(async () => {
    server = await startPaymentServer();
    const paymentProvider = mortal(createProviderConnector(server.url));
    const clock = () => Temporal.Now.instant().add({ seconds: passedSeconds });
    app = await startTestApp({ deps: { paymentProvider, clock } });
  });
  after(async () => {
    await app.close();
    await server.close();
  });

  return {
    app: () => app,
    server: () => server,
    passSeconds(seconds) {
      passedSeconds += seconds;
    },
    returnToNow() {
      passedSeconds = 0;
    },
    dieOnce(where) {
      death = where;
    },
  };
}

/** Longer than a payment may be pending without the provider knowing of it. */
export const A_WHILE_SECONDS = 61;
