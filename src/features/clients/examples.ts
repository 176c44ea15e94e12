import type { Client, ClientSecret, ClientWithSecret, NewClientSecret } from './schema.ts';

export const clientExample: Client = {
  id: 'city-guide-app',
  kind: 'partner',
  partnerId: 3,
  operatorId: null,
  scopes: ['venue:read', 'venue-booking:create', 'venue-booking:read'],
  isActive: true,
  createdAt: '2026-11-02T09:40:18.906Z',
};

const secretId = '5a9c9a0e-0f0b-4b2e-9b1a-0a6a2f7f3f11';

const secret = 'Zk3v0m1Qp7cVt2yLxA8uR5nWbE9sJdHfG4iKoTqYzM0';

export const newClientExample: ClientWithSecret = { ...clientExample, secretId, secret };

export const secretExample: ClientSecret = {
  id: secretId,
  createdAt: '2026-11-02T09:40:18.906Z',
  expiresAt: null,
};

export const newSecretExample: NewClientSecret = { secretId, secret, expiresAt: null };
