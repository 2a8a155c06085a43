-- runs-with: 0060
-- Spreadsheets that people upload as a sync of an app, or to import people (docs/spreadsheets.md). Kept for a day. No foreign
-- keys, so that a prepared cluster can gain the tables (ADR 16).
create table upload (
  org_id uuid not null,
  id uuid not null,
  -- Null for a file of people.
  app_id uuid,
  -- The cause of the changes, as their events record it: who uploaded or checked the file.
  cause jsonb not null,
  file_name text not null,
  bytes bigint not null default 0,
  sha256 text,
  status text not null
    check (status in ('receiving', 'uploaded', 'checking', 'invalid', 'planned', 'applied', 'discarded', 'failed')),
  -- What was found in the file: format, encoding, separator, sheets, columns with samples.
  content jsonb,
  mapping jsonb,
  rows integer,
  problems integer,
  -- The session that holds the rows of an app's file.
  sync_id uuid,
  -- The changes that importing a file of people would make or has made.
  result jsonb,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index upload_created on upload (org_id, created_at);

-- The bytes of a file, in order. Deleted when the upload ends.
create table upload_chunk (
  org_id uuid not null,
  upload_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (org_id, upload_id, number)
);

create table upload_problem (
  org_id uuid not null,
  upload_id uuid not null,
  number integer not null,
  row_number integer not null,
  column_name text not null,
  value text not null,
  message text not null,
  primary key (org_id, upload_id, number)
);

-- The mapping of the last applied upload of an app, suggested for the next. The target of people is the organization.
create table upload_mapping (
  org_id uuid not null,
  target_id uuid not null,
  mapping jsonb not null,
  headers text[] not null,
  saved_at timestamptz not null default now(),
  primary key (org_id, target_id)
);
