-- As before, but creates the partitions up to three months after the newest change: later changes get later times, even
-- if the clock was set back since.
create or replace function ensure_history_partitions(parent text) returns integer language plpgsql as $$
declare
  month date;
  last_month date := date_trunc('month', greatest(now(), (select max(at) from inventory_change)) at time zone 'UTC')
    + interval '3 months';
  floor text := 'minvalue';
  made integer := 0;
begin
  execute format('lock table only %I in share update exclusive mode', parent);
  select max(to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM')) + interval '1 month' into month
    from pg_inherits where inhparent = parent::regclass;
  if month is not null then
    floor := quote_literal(month || ' 00:00:00+00');
  else
    month := date_trunc('month', now() at time zone 'UTC');
  end if;
  while month <= last_month loop
    execute format('create table %I (like %I including all)', parent || to_char(month, '"_"YYYY_MM'), parent);
    execute format('alter table %I attach partition %I for values from (%s) to (%L)',
      parent, parent || to_char(month, '"_"YYYY_MM'), floor, (month + interval '1 month')::date || ' 00:00:00+00');
    month := month + interval '1 month';
    floor := quote_literal(month || ' 00:00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;
create index inventory_change_at on inventory_change (at);
