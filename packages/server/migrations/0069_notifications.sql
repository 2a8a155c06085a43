-- runs-with: 0060
-- Notifications: messages to people, by the console's inbox and by email, and to Slack and Microsoft Teams. The tables have no
-- foreign keys, so that a prepared cluster can gain them (ADR 16); the feature deletes the rows of deleted people itself.

-- How far the notifications of an organization have read its log, and when they last looked for what becomes due.
create table notification_cursor (
  org_id uuid primary key,
  read_to timestamptz not null,
  scanned_at timestamptz not null default '-infinity',
  -- When an event last made another look necessary, or the current look began. Null: the last look is complete.
  scan_asked_at timestamptz
);

-- A person's choices. Null and missing kinds: the default.
create table notification_preference (
  org_id uuid not null,
  user_id uuid not null,
  time_zone text,
  language text,
  -- Local times such as 22:00. Both or neither.
  quiet_from text,
  quiet_to text,
  digest_hour integer not null default 8 check (digest_hour between 0 and 23),
  kinds jsonb not null default '{}',
  primary key (org_id, user_id),
  check ((quiet_from is null) = (quiet_to is null))
);

-- An incoming webhook of Slack or Microsoft Teams.
create table notification_channel (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  type text not null check (type in ('slack', 'teams')),
  name text not null,
  -- Encrypted: whoever knows it can post.
  sealed_url text not null,
  host text not null,
  -- Only what concerns this app. Null: all apps.
  app_id uuid,
  kinds text[] not null,
  enabled boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);

-- A message to one person, or to one channel. `dedupe_key` names its reason: an event, or a date of a review, a key or a request.
create table notification (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  user_id uuid,
  channel_id uuid,
  kind text not null,
  dedupe_key text not null,
  -- The thing that its reader must be allowed to see.
  about_type text,
  about_id uuid,
  title text not null,
  body text not null,
  -- A path in the console.
  path text not null,
  -- False: the person was deactivated, or the message is sent by email only.
  in_inbox boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  primary key (org_id, id),
  check (num_nonnulls(user_id, channel_id) = 1)
);
create unique index notification_once on notification (org_id, user_id, dedupe_key) where user_id is not null;
create unique index notification_channel_once on notification (org_id, channel_id, dedupe_key) where channel_id is not null;
create index notification_about on notification (org_id, about_id) where about_id is not null;
create index notification_inbox on notification (org_id, user_id, id desc);
create index notification_unread on notification (org_id, user_id) where read_at is null and in_inbox;

-- How one message goes out on one medium. An email can carry several: those with the same message_id.
create table notification_delivery (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  notification_id uuid not null,
  medium text not null check (medium in ('inbox', 'email', 'slack', 'teams')),
  user_id uuid,
  channel_id uuid,
  kind text not null,
  -- skipped: it is not sent, for the reason in last_error.
  state text not null check (state in ('waiting', 'sent', 'failed', 'skipped')),
  due_at timestamptz not null default clock_timestamp(),
  -- It belongs to the daily digest.
  digest boolean not null default false,
  message_id uuid,
  attempts integer not null default 0,
  sent_at timestamptz,
  last_error text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);
create index notification_delivery_of on notification_delivery (org_id, notification_id);
create index notification_delivery_user on notification_delivery (org_id, user_id, id desc);
create index notification_delivery_message on notification_delivery (org_id, message_id) where message_id is not null;
create index notification_delivery_due on notification_delivery (org_id, due_at)
  where state = 'waiting' and message_id is null;

-- An email or a post that is being sent: once it has its deliveries, they stay the same, so that a repetition is the same email.
create table notification_message (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  medium text not null check (medium in ('email', 'slack', 'teams')),
  user_id uuid,
  channel_id uuid,
  -- It contains a security notice or a sign-in link, and is sent before all others.
  urgent boolean not null default false,
  -- Each claim adds one. A node that reports about an earlier attempt is ignored.
  attempts integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  next_attempt_at timestamptz not null default clock_timestamp(),
  -- The node that sends it now has until then.
  leased_until timestamptz,
  -- It was sent, or there are no further attempts.
  ended_at timestamptz,
  primary key (org_id, id)
);
create index notification_message_due on notification_message (org_id, urgent desc, next_attempt_at) where ended_at is null;
create index notification_message_user on notification_message (org_id, user_id, created_at);
