-- Sign-in: one table for each model of better-auth. Every key begins with the organization.

alter table organization
  -- Signs cookies, and encrypts the secrets of second factors and providers.
  add column sign_in_secret text not null
    default encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex');

alter table platform_user add column two_factor_enabled boolean not null default false;

-- Active people as better-auth's model "user".
create view sign_in_user as
  select org_id, id, lower(email) as email, true as email_verified,
    coalesce(nullif(btrim(first_name || ' ' || last_name), ''), username) as name,
    null::text as image, two_factor_enabled, created_at, updated_at
  from platform_user where status = 'active';

create table sign_in_session (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  user_id uuid not null,
  -- The SHA-256 hash of the token in the cookie.
  token text not null,
  -- When the person had passed every factor and session.login.succeeded was recorded. Null: not signed in.
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

-- A person's password (provider_id 'credential') or their identity at a provider.
create table sign_in_account (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  user_id uuid not null,
  provider_id text not null,
  account_id text not null,
  issuer text,
  -- A scrypt hash in the format of better-auth.
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

-- Single-use values that expire: password links, passkey challenges and the states of redirects.
create table sign_in_verification (
  org_id uuid not null references organization (id),
  -- A hash if better-auth reserves a value that must be used only once, otherwise a UUID.
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
  -- Both are encrypted with organization.sign_in_secret.
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  -- The time step of the last accepted code, in units of 30 seconds since 1970. No code is accepted twice (RFC 6238,
  -- section 5.2).
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

-- An identity provider of the organization, over OpenID Connect or SAML. The client secret in oidc_config is
-- encrypted with organization.sign_in_secret.
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

-- Recent failed sign-ins from each IP address.
create table sign_in_attempt (
  org_id uuid not null references organization (id),
  ip text not null,
  failures integer not null,
  since timestamptz not null default now(),
  blocked_until timestamptz,
  primary key (org_id, ip)
);
