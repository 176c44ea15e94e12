import type { CodeList } from './entry.ts';

export const accountCodes = {
  'IDENT-N-001': {
    status: 401,
    title: 'Not identified',
    meaning: 'The request has no access token, or one that is expired, malformed or not ours.',
    remedy: 'Get a token from POST /oauth/token and send it as Authorization: Bearer.',
  },
  'IDENT-N-002': {
    status: 403,
    title: 'Partner reference not usable',
    meaning:
      'X-Partner-Reference is missing though you are an agent, cannot be a reference, or is not for you to send.',
    remedy: 'Agents send the reference of the partner they act for; partners leave the header out.',
  },
  'IDENT-N-003': {
    status: 403,
    title: 'Not allowed to act for this partner',
    meaning: 'No partner with this reference has allowed this agent to act for it.',
    remedy: 'Check the reference, and ask the partner to have your client put on its list of agents.',
  },
  'IDENT-N-004': {
    status: 409,
    title: 'Agent allowed already',
    meaning: 'The agent is on the list of this partner already.',
    remedy: 'Nothing needs to be added.',
  },
  'USER-N-001': {
    status: 409,
    title: 'Email address taken',
    meaning: 'There is a user with this email address already.',
    remedy: 'Use another address, or invite the existing user.',
  },
  'USER-N-002': {
    status: 404,
    title: 'User not found',
    meaning: 'No user has this id.',
    remedy: 'List the users and use an id from there.',
  },
  'USER-N-003': {
    status: 401,
    title: 'Wrong email address or password',
    meaning: 'The two do not belong together.',
    remedy: 'Check both, or reset the password.',
  },
  'USER-N-004': {
    status: 404,
    title: 'Invite not found',
    meaning: 'The invite never existed or was withdrawn.',
    remedy: 'Ask for a new invite.',
  },
  'USER-N-005': {
    status: 409,
    title: 'Invite used already',
    meaning: 'This invite was accepted already.',
    remedy: 'Sign in instead.',
  },
  'USER-N-006': {
    status: 409,
    title: 'Invite expired',
    meaning: 'The invite was not accepted in time.',
    remedy: 'Ask for a new invite.',
  },
  'USER-N-007': {
    status: 400,
    title: 'Operator cannot be assigned',
    meaning: 'The venue group in the assignment does not exist or cannot be given to this user.',
    remedy: 'Assign an operator that exists and that you manage yourself.',
  },
  'USER-N-008': {
    status: 400,
    title: 'Role cannot be assigned',
    meaning: 'The role does not exist or does not go with this user.',
    remedy: 'Assign one of the roles that detail names.',
  },
  'USER-N-009': {
    status: 403,
    title: 'Not permitted',
    meaning: 'We know who you are, but your token or role does not include what this request needs.',
    remedy:
      'Ask for a token with the scope that detail names; if your client does not have it, ask the platform.',
  },
  'USER-N-010': {
    status: 403,
    title: 'Account switched off',
    meaning: 'The account exists, but an administrator has switched it off.',
    remedy: 'Ask an administrator of your organisation.',
  },
  'USER-N-011': {
    status: 400,
    title: 'Not an email address',
    meaning: 'The text cannot be an email address.',
    remedy: 'Correct the address.',
  },
  'USER-N-012': {
    status: 400,
    title: 'Password too weak',
    meaning: 'The password is too short or too easy to guess.',
    remedy: 'Choose a longer one; several unrelated words do well.',
  },
  'USER-N-013': {
    status: 401,
    title: 'Session over',
    meaning: 'The session has expired or was ended.',
    remedy: 'Sign in again.',
  },
  'USER-N-014': {
    status: 429,
    title: 'Too many failed sign-ins',
    meaning: 'The account is locked for a while after too many wrong passwords.',
    remedy: 'Try again after the time in Retry-After.',
    isRetryable: true,
  },
  'USER-N-015': {
    status: 403,
    title: 'Email address not confirmed',
    meaning: 'The account waits for its email address to be confirmed.',
    remedy: 'Open the link in the mail we sent, or ask for another one.',
  },
  'USER-N-016': {
    status: 403,
    title: 'Request from another site',
    meaning:
      'The request relies on the session cookie of a browser, and the browser does not say that it comes from a page of this service.',
    remedy: 'Call from a page of the same origin, or send the token of a session as Authorization: Bearer.',
  },
} as const satisfies CodeList;
