import type { WebhookSubscription, WebhookWithSecret } from './schema.ts';

/** What the OpenAPI document shows of subscriptions: one for bookings, as it was made and after a change. */
const subscriptionMade: WebhookSubscription = {
  webhookId: '019a7f52-3b1e-7c40-8d25-b7e94a06f1c3',
  callbackUrl: 'https://partner.example/maitred',
  eventTypes: ['booking.updated'],
  label: 'Bookings',
  active: true,
  isDefault: false,
  createdAt: '2026-11-15T10:33:41.214Z',
  updatedAt: null,
};

export const subscriptionExample: WebhookSubscription = {
  ...subscriptionMade,
  updatedAt: '2026-11-16T08:02:17.905Z',
};

export const newSubscriptionExample: WebhookWithSecret = {
  ...subscriptionMade,
  secretKey: 'whsec_T25seSBhbiBleGFtcGxlLCBzbyBzaWduIG5vdGhpbmc=',
};

export const rotatedExample: WebhookWithSecret = {
  ...subscriptionExample,
  secretKey: 'whsec_QW5vdGhlciBvbmUsIGp1c3QgYXMgbXVjaCBhIHRveS4=',
};
