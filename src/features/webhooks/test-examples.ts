import { subscriptionExample } from './examples.ts';
import type { TestReport } from './test-schema.ts';

/** What the OpenAPI document shows of a test: one subscription has got it, one has not asked for it. */
export const testReportExample: TestReport = {
  deliveries: [
    {
      webhookId: subscriptionExample.webhookId,
      callbackUrl: subscriptionExample.callbackUrl,
      delivered: true,
      statusCode: 204,
      durationMs: 38,
      signature: '5d2f6a0c9b7e41d8a3f0c6e2b94d17586f3a80ce41b2d97f60a5c83e1d4b7092',
      skipped: null,
      error: null,
    },
    {
      webhookId: '019a7f5b-90c2-7e11-b3d4-6f2a1c8e5d07',
      callbackUrl: 'https://partner.example/venues-only',
      delivered: false,
      statusCode: null,
      durationMs: null,
      signature: null,
      skipped: 'filtered',
      error: null,
    },
  ],
};
