/** The application with a payment provider on loopback, a clock that can be moved on, and nodes that can die. */
import { after, before } from 'node:test';
import type { PaymentProvider } from '../../../src/features/payments/provider.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createProviderConnector } from '../../support/payment-provider/connector.ts';
import { type PaymentServer, startPaymentServer } from '../../support/payment-provider/server.ts';

/** Where the node that carries out the next payment dies, as far as the request can tell. */
type Death = 'before opening' | 'before charging' | 'after charging';

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

  function die(): never {
    death = undefined;
    throw new Error('died');
  }

  function mortal(provider: PaymentProvider): PaymentProvider {
    return {
      ...provider,
      async open(call, intent) {
        if (death === 'before opening') die();
        return provider.open(call, intent);
      },
      async authorise(call, authorisation) {
        if (death === 'before charging') die();
        const outcome = await provider.authorise(call, authorisation);
        if (death === 'after charging') die();
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
