-- runs-with: 0060
-- Files that fulfillers attach to tasks. Without foreign keys (ADR 16); a daily job deletes both parts after their retention.

create table fulfilment_attachment (
  org_id uuid not null,
  id uuid not null,
  task_id uuid not null,
  name text not null,
  size integer not null check (size between 1 and 10485760),
  -- In hexadecimal.
  sha256 text not null,
  uploaded_by uuid not null,
  uploaded_at timestamptz not null,
  primary key (org_id, id)
);
create index fulfilment_attachment_task on fulfilment_attachment (org_id, task_id);
create index fulfilment_attachment_age on fulfilment_attachment (org_id, uploaded_at);

-- A file in chunks of up to 256 KiB, so that a download does not hold all of it.
create table fulfilment_attachment_chunk (
  org_id uuid not null,
  attachment_id uuid not null,
  position integer not null,
  bytes bytea not null,
  primary key (org_id, attachment_id, position)
);
