import type { Invite, Member, NewSession, Session, User } from './schema.ts';

export const userExample: User = {
  id: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1',
  email: 'ada@lamp.example',
  name: 'Ada Lamp',
  isVerified: true,
  isDisabled: false,
  isPlatform: false,
  roles: [{ operatorId: 1, role: 'manager' }],
  createdAt: '2026-11-14T18:02:11.482Z',
};

export const memberExample: Member = {
  id: userExample.id,
  email: userExample.email,
  name: userExample.name,
  role: 'manager',
  isVerified: true,
  isDisabled: false,
};

export const sessionExample: Session = {
  createdAt: '2026-11-14T18:05:00.000Z',
  expiresAt: '2026-11-15T06:05:00.000Z',
  user: userExample,
};

export const newSessionExample: NewSession = {
  token: 'mts_pP1uRkX0o6n7v3b1n4FqS0cJt9y2mLwE5aHdZgVxQeI',
  expiresAt: sessionExample.expiresAt,
  user: userExample,
};

export const inviteExample: Invite = {
  id: '019a8a12-07f3-7a55-8c39-6f0c1d2e9b44',
  email: 'ada@lamp.example',
  operatorId: 1,
  role: 'manager',
  isPlatform: false,
  createdAt: '2026-11-14T17:40:00.000Z',
  expiresAt: '2026-11-21T17:40:00.000Z',
  acceptedAt: null,
};
