const DAY_MS = 86_400_000;

/** When seeding reached which day of the past. */
export interface SeedClock {
  /** Everything from now on happened this many days ago, in the morning. */
  reach(daysAgo: number): void;
  /** The day that was reached last. */
  day(): number;
  /** Returns the statement that moves everything seeded so far to the days on which it happened. */
  statement(): string;
}

/** The time at which an app last saw somebody does not come from this clock. */
const PUSHED = ['last_sign_in_at'];

export function seedClock(): SeedClock {
  const steps: { from: number; back: number }[] = [];
  const begin = Date.now();
  let day = 0;
  return {
    day: () => day,
    reach(daysAgo) {
      day = daysAgo;
      const morning =
        begin - daysAgo * DAY_MS - (begin % DAY_MS) + ((steps.length * 37) % 180) * 60_000 + 21_600_000;
      const now = Date.now() - 1;
      steps.push({ from: now, back: daysAgo === 0 ? 0 : Math.max(0, now - morning) });
    },
    statement: () => moved(steps),
  };
}

/**
 * Each moment goes back by as much as its step. A moment after the seeding, such as a due date, goes back by as much as the
 * creation of its row. Triggers are off: they keep the event log from changing, and set times of their own.
 */
const moved = (steps: { from: number; back: number }[]) => `
  set session_replication_role = replica;
  set gatehouse.event_retention = 'on';
  create function pg_temp.back(at timestamptz) returns interval immutable language sql as $$
    select case
      ${[...steps]
        .reverse()
        .map(({ from, back }) => `when at >= '${iso(from)}' then interval '${back} milliseconds'`)
        .join('\n      ')}
      else interval '${steps[0]?.back ?? 0} milliseconds' end
  $$;
  create function pg_temp.past(at timestamptz, made timestamptz) returns timestamptz immutable language sql as $$
    select case when at is null or not isfinite(at) then at
      when at > now() and made is null then at
      when at > '${iso(Date.now())}' then at - pg_temp.back(made)
      else at - pg_temp.back(at) end
  $$;
  create function pg_temp.stamp(at timestamptz) returns text immutable language sql as $$
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  $$;
  do $$
  declare
    one record;
  begin
    for one in
      select c.table_name, string_agg(format('%1$I = pg_temp.past(%1$I, %2$s)', c.column_name, made.expression), ', ') as changes
      from information_schema.columns c
      join pg_class t on t.relname = c.table_name and t.relnamespace = 'public'::regnamespace and not t.relispartition
      cross join lateral (
        select coalesce((
          select quote_ident(m.column_name) from information_schema.columns m
          where m.table_schema = 'public' and m.table_name = c.table_name and m.data_type = 'timestamp with time zone'
            and m.column_name in ('created_at', 'started_at', 'opened_at')
          order by m.column_name limit 1), 'null') as expression
      ) made
      where c.table_schema = 'public' and c.data_type = 'timestamp with time zone' and c.is_generated = 'NEVER'
        and c.column_name not in (${PUSHED.map((name) => `'${name}'`).join(', ')})
        and t.relkind in ('r', 'p')
      group by c.table_name
    loop
      execute format('update %I set %s', one.table_name, one.changes);
    end loop;
    for one in select c.table_name from information_schema.columns c
      join pg_class t on t.relname = c.table_name and t.relnamespace = 'public'::regnamespace and not t.relispartition
      where c.table_schema = 'public' and c.column_name = 'body' and c.table_name like 'event%' and t.relkind in ('r', 'p')
    loop
      execute format($update$update %I set body = regexp_replace(regexp_replace(body,
        '"occurred_at":"[^"]*"', '"occurred_at":"' || pg_temp.stamp(occurred_at) || '"'),
        '"ingested_at":"[^"]*"', '"ingested_at":"' || pg_temp.stamp(ingested_at) || '"')$update$, one.table_name);
    end loop;
  end $$;
  set session_replication_role = origin;
  reset gatehouse.event_retention;`;

const iso = (time: number) => new Date(time).toISOString();
