-- People of partners: who works for which partner, and invites to one.

create table account_partner (
  account_id uuid not null references account on delete cascade,
  partner_id integer not null references partner on delete cascade,
  role text not null check (role in ('developer')),
  primary key (account_id, partner_id)
);
create index account_partner_partner on account_partner (partner_id);

-- An invite is to a role at an operator or at a partner, to the platform, or to one of the former and the platform.
alter table account_invite
  add column partner_id integer references partner on delete cascade,
  drop constraint account_invite_role_check,
  drop constraint account_invite_check,
  drop constraint account_invite_check1,
  add constraint account_invite_place check (operator_id is null or partner_id is null),
  add constraint account_invite_role check (
    case
      when operator_id is not null then role is not null and role in ('staff', 'manager', 'owner')
      when partner_id is not null then role is not null and role in ('developer')
      else role is null and is_platform
    end
  );
create index account_invite_partner on account_invite (partner_id, id desc) where partner_id is not null;
-- An address has at most one open invite for each operator, for each partner and for the platform.
drop index account_invite_open;
create unique index account_invite_open on account_invite (email_key, coalesce(operator_id, 0), coalesce(partner_id, 0))
  where accepted_at is null;
