/**
 * People: their accounts, what they may do at which operator or partner, how they are invited, and their sessions under `/manage`.
 */
import type { Config } from '../../config.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { AccountsContext } from './context.ts';
import { createDevelopers, type Developers } from './developers.ts';
import { type Accepting, createAccepting, createInvites, type Invites } from './invites.ts';
import { createMailTokens, type MailTokens } from './mail-tokens.ts';
import { createMembers, type Members } from './members.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createOwnAccount, createUsers, type OwnAccount, type Users } from './users.ts';

export { type AddedUser, addUser } from './users.ts';

export interface Accounts
  extends Sessions,
    MailTokens,
    Users,
    OwnAccount,
    Members,
    Developers,
    Invites,
    Accepting {}

export function createAccounts(
  deps: Omit<AccountsContext, 'publicUrl'> & { config: Pick<Config, 'publicUrl'> },
): Accounts {
  const { sql, clock, auditLog, mailing, config } = deps;
  const context: AccountsContext = { sql, clock, auditLog, mailing, publicUrl: config.publicUrl };
  return {
    ...createSessions(context),
    ...createMailTokens(context),
    ...createUsers(context),
    ...createOwnAccount(context),
    ...createMembers(context),
    ...createDevelopers(context),
    ...createInvites(context),
    ...createAccepting(context),
  };
}

export function accountJobs(accounts: Accounts): JobDefinition[] {
  return [{ name: 'accounts.forget-ended', schedule: '23 * * * *', handle: () => accounts.forgetEnded() }];
}
