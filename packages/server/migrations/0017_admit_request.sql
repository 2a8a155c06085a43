-- Replaces take_turn() with a function whose name says what it does. Both work the same way.

-- Admits one request to all of the windows `ids`, or to none of them. It locks the windows in order of their ids, so
-- that two requests never deadlock. Returns one row per window, in the given order: whether the window admits the
-- request, how many more requests it would admit now, and the seconds until its oldest request leaves it.
create function admit_request(ids text[], limits integer[], length interval)
  returns table (admitted boolean, remaining integer, seconds double precision) language plpgsql as $$
declare
  moment timestamptz;
  locked integer;
  row record;
  counts integer[] := '{}';
  oldest timestamptz[] := '{}';
  all_admit boolean := true;
begin
  loop
    insert into rate_window (id, passed) select id, '{}' from unnest(ids) id order by id on conflict do nothing;
    perform from rate_window where id = any (ids) order by id for update;
    get diagnostics locked = row_count;
    -- Fewer if the cleanup job deleted an idle window in between.
    exit when locked = cardinality(ids);
  end loop;
  moment := clock_timestamp();
  update rate_window w set passed = w.passed[width_bucket(moment - length, w.passed) + 1:]
    where id = any (ids) and cardinality(passed) > 0 and passed[1] <= moment - length;
  for row in
    select w.passed, a.lim from unnest(ids, limits) with ordinality a(id, lim, i) join rate_window w using (id) order by a.i
  loop
    counts := counts || cardinality(row.passed);
    oldest := oldest || coalesce(row.passed[greatest(1, cardinality(row.passed) - row.lim + 1)], moment);
    all_admit := all_admit and cardinality(row.passed) < row.lim;
  end loop;
  if all_admit then
    update rate_window set passed = passed || moment where id = any (ids);
  end if;
  return query
    select c < l, greatest(0, l - c - all_admit::integer), extract(epoch from o + length - moment)::double precision
    from unnest(counts, limits, oldest) as w(c, l, o);
end $$;

drop function take_turn(text[], integer[], interval);
