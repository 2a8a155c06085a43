-- How people sign in, as better-auth keeps it: its models, a table each, every key beginning with the organization.

alter table organization
  -- Signs cookies and encrypts the secrets of second factors.
  add column sign_in_secret text not null
    default encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex');

alter table platform_user add column two_factor_enabled boolean not null default false;

-- The person as sign-in sees them. Who is deactivated is not there.
create view sign_in_user as
  select org_id, id, lower(email) as email, true as email_verified,
    coalesce(nullif(btrim(first_name || ' ' || last_name), ''), username) as name,
    null::text as image, two_factor_enabled, created_at, updated_at
  from platform_user where status = 'active';

create table sign_in_session (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  user_id uuid not null,
  -- SHA-256 of what the cookie holds.
  token text not null,
  -- Null until every factor was shown and session.login.succeeded was recorded: nobody is signed in before that.
  signed_in_at timestamptz,
  method text,
  provider text,
  second_factor boolean not null default false,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, token),
  foreign key (org_id, user_id) references platform_user (org_id, id) on delete cascade
);
create index sign_in_session_user on sign_in_session (org_id, user_id);
create index sign_in_session_expiry on sign_in_session (expires_at);

-- A password (provider 'credential'), or what a provider calls the person.
create table sign_in_account (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  user_id uuid not null,
  provider_id text not null,
  account_id text not null,
  issuer text,
  -- scrypt, as better-auth writes it.
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, provider_id, account_id),
  foreign key (org_id, user_id) references platform_user (org_id, id) on delete cascade
);
create index sign_in_account_user on sign_in_account (org_id, user_id);

insert into sign_in_account (org_id, user_id, provider_id, account_id, password)
select org_id, id, 'credential', id::text, password_hash from platform_user where password_hash is not null;
alter table platform_user drop column password_hash;

-- What is valid once and for a while: links, challenges, states of a redirect.
create table sign_in_verification (
  org_id uuid not null references organization (id),
  -- A hash where better-auth reserves a value that must be used once.
  id text not null default uuidv7()::text,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index sign_in_verification_identifier on sign_in_verification (org_id, identifier);
create index sign_in_verification_expiry on sign_in_verification (expires_at);

create table sign_in_two_factor (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  user_id uuid not null,
  -- Both encrypted with the organization's secret.
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  -- The 30 seconds, counted since 1970, of the last code that was accepted: no code works twice (RFC 6238, 5.2).
  last_step bigint,
  primary key (org_id, id),
  unique (org_id, user_id),
  foreign key (org_id, user_id) references platform_user (org_id, id) on delete cascade
);

create table sign_in_passkey (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  user_id uuid not null,
  name text,
  public_key text not null,
  credential_id text not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz default now(),
  primary key (org_id, id),
  unique (org_id, credential_id),
  foreign key (org_id, user_id) references platform_user (org_id, id) on delete cascade
);
create index sign_in_passkey_user on sign_in_passkey (org_id, user_id);

-- Where people may sign in from: an OpenID Connect or a SAML provider of the organization. The secret within
-- oidc_config is encrypted with the organization's.
create table sign_in_provider (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  provider_id text not null,
  name text not null default '',
  issuer text not null,
  domain text not null default '',
  domain_verified boolean not null default true,
  oidc_config text,
  saml_config text,
  user_id uuid,
  organization_id text,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, provider_id),
  foreign key (org_id, user_id) references platform_user (org_id, id) on delete set null (user_id),
  check ((oidc_config is null) <> (saml_config is null))
);

-- Sign-ins that an address has tried and not succeeded in, lately.
create table sign_in_attempt (
  org_id uuid not null references organization (id),
  ip text not null,
  failures integer not null,
  since timestamptz not null default now(),
  blocked_until timestamptz,
  primary key (org_id, ip)
);
