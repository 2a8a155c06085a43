-- runs-with: 0060
-- A random mark that is renewed whenever the primary is on another timeline. A server that has the same mark has replayed
-- what this primary wrote on this timeline, so positions of the two are comparable (ADR 15).
create table replica_mark (
  only_row boolean primary key default true check (only_row),
  timeline integer not null,
  mark uuid not null
);
