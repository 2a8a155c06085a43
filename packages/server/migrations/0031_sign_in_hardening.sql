-- Failed sign-ins are counted for each account as well as for each address. The column holds the name of the counter:
-- `address 192.0.2.1`, `address 2001:db8:1:2::/64`, or `account` with a keyed hash of the email address that was entered.

alter table sign_in_attempt rename column ip to counter;
update sign_in_attempt set counter = 'address ' || counter;

-- The last time that the session's person proved who they are: by signing in, or by confirming it later. Adding or
-- removing a factor requires a recent time.
alter table sign_in_session add column authenticated_at timestamptz;
update sign_in_session set authenticated_at = signed_in_at;

-- The roles whose people must have a second factor if they sign in with a password.
alter table organization add column second_factor_roles text[] not null default '{}'
  check (second_factor_roles <@ array['owner', 'admin', 'auditor', 'member']);
