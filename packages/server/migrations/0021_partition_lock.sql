-- Creates the monthly partitions from `first_month` (default: this month) to three months after the newest event. The
-- very first partition has no lower bound. No partition is open-ended upwards: with a default partition, pages of
-- events could not be read in order. The table lock makes concurrent callers wait for each other. It does not block
-- readers or writers of events.
create or replace function ensure_event_partitions(first_month date default null) returns integer language plpgsql as $$
declare
  month date;
  last_month date;
  floor text := 'minvalue';
  made integer := 0;
begin
  lock table event in share update exclusive mode;
  last_month := date_trunc('month', greatest(now(), (select max(last_ingested_at) from event_head)) at time zone 'UTC')
    + interval '3 months';
  select max(to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM')) + interval '1 month' into month
    from pg_inherits where inhparent = 'event'::regclass;
  if month is not null then
    floor := quote_literal(month || ' 00:00:00+00');
  else
    month := date_trunc('month', coalesce(first_month::timestamp, now() at time zone 'UTC'));
  end if;
  while month <= last_month loop
    -- Creating a table and then attaching it does not block readers and writers.
    execute format('create table %I (like event including all)', to_char(month, '"event_"YYYY_MM'));
    execute format('alter table event attach partition %I for values from (%s) to (%L)',
      to_char(month, '"event_"YYYY_MM'), floor, (month + interval '1 month')::date || ' 00:00:00+00');
    month := month + interval '1 month';
    floor := quote_literal(month || ' 00:00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;
