-- Asked for in the sandbox: the first attempt is signed with another secret than that of the subscription.
alter table delivery add column is_missigned boolean not null default false;
