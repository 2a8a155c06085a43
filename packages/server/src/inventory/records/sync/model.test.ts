// @module-tag long
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import {
  addSyncedApp,
  inventoryOf,
  openSyncTest,
  type SyncedApp,
  type SyncTest,
  untilEnded,
} from '#test/sync.ts';

/**
 * Runs random sequences of starts, pushes, endings and tasks and compares the inventory with a simple model of protocol
 * 3.1 and D15 to D24, which keeps maps in memory. Waits for a completion only if the next step depends on its end.
 */
let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

// Steps ---------------------------------------------------------------------------------------------------------

const STATUS = { active: 'ACTIVE', inactive: 'INACTIVE', suspended: 'SUSPENDED' } as const;
type RecordStatus = keyof typeof STATUS;

interface Ref {
  slug: 'team' | 'channel' | 'seat';
  id: string;
  name?: string;
}
interface AccountRecord {
  id: string;
  display_name: string;
  status: RecordStatus;
  refs: Ref[];
  details: Details;
}
/** The fields that give no access (D54). An absent one clears what an earlier sync stored. */
interface Details {
  last_sign_in_at?: string;
  owner?: string;
  attributes?: Record<string, number>;
}
type Step =
  | { do: 'start' | 'complete' | 'abandon' | 'settle' }
  | { do: 'push accounts'; session: number; slug: 'person' | 'bot'; records: AccountRecord[] }
  | { do: 'push entitlements'; session: number; slug: Ref['slug']; records: { id: string; name: string }[] }
  | { do: 'invite'; id: string; status: 'NEW' | 'INVITED' }
  | { do: 'grant'; slug: 'person' | 'bot'; id: string; ref: Ref }
  | { do: 'suspend'; slug: 'person' | 'bot'; id: string };

const accountId = fc.constantFrom('a', 'b', 'é');
const entitlementId = fc.constantFrom('g', 'g', 'h');
const accountSlug = fc.constantFrom('person' as const, 'person' as const, 'person' as const, 'bot' as const);
const entitlementSlug = fc.constantFrom(
  'team' as const,
  'team' as const,
  'channel' as const,
  'seat' as const,
);
const ref: fc.Arbitrary<Ref> = fc
  .tuple(entitlementSlug, entitlementId, fc.constantFrom('', 'Ref', 'Other'))
  .map(([slug, id, name]) => (name === '' ? { slug, id } : { slug, id, name }));
const details: fc.Arbitrary<Details> = fc.record(
  {
    last_sign_in_at: fc.constantFrom('2026-01-02T03:04:05.000Z', '2026-05-06T00:00:00.000Z'),
    owner: fc.constantFrom('one@owner.example', 'two@owner.example'),
    attributes: fc.constantFrom({ n: 1 }, { n: 2 }, { m: 1 }),
  },
  { requiredKeys: [] },
);
const record: fc.Arbitrary<AccountRecord> = fc.record({
  id: accountId,
  display_name: fc.constantFrom('', 'X'),
  status: fc.constantFrom('active' as const, 'active' as const, 'inactive' as const, 'suspended' as const),
  refs: fc.uniqueArray(ref, { maxLength: 3, selector: ({ slug, id }) => `${slug}:${id}` }),
  details,
});
/** Mostly the newest session, sometimes an earlier one. */
const session = fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1);
const unique = { selector: ({ id }: { id: string }) => id };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('push accounts' as const),
      session,
      slug: accountSlug,
      records: fc.uniqueArray(record, { ...unique, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('push entitlements' as const),
      session,
      slug: entitlementSlug,
      records: fc.uniqueArray(fc.record({ id: entitlementId, name: fc.constantFrom('N', 'M') }), {
        ...unique,
        maxLength: 2,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('invite' as const),
      id: accountId,
      status: fc.constantFrom('NEW' as const, 'INVITED' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('grant' as const), slug: accountSlug, id: accountId, ref }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('suspend' as const), slug: accountSlug, id: accountId }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'settle' as const }) },
);
const ending = fc.constantFrom<Step['do'][]>(
  ...Array(5).fill(['complete']),
  ...Array(2).fill(['abandon']),
  ['complete', 'complete'],
  ['complete', 'abandon'],
  ['abandon', 'complete'],
  ['abandon', 'abandon'],
  [],
);
/** A session from its start until it ends or the next one replaces it. */
const round: fc.Arbitrary<Step[]> = fc
  .tuple(fc.array(step, { maxLength: 6, size: 'max' }), ending)
  .map(([steps, ends]) => [{ do: 'start' }, ...steps, ...ends.map((name) => ({ do: name }) as Step)]);

const emailOf = (id: string) => `${id}@x.example`;

// The model -----------------------------------------------------------------------------------------------------

interface Account {
  slug: string;
  /** Null for a pending account (D24). */
  id: string | null;
  email: string;
  display_name: string;
  status: string;
  removed: boolean;
  /** The time of the last task, until a sync confirms the account. */
  tasked: number | null;
  /** By entitlement: the time at which a task granted it, until a sync confirms it. */
  memberships: Map<string, number | null>;
  /** The details in the last sync that had the account. They are not part of its state. */
  details: Details;
  /** For a pending account: the accounts of records that may be it (D24). */
  candidates?: Account[];
}
interface Session {
  status: 'in_progress' | 'completed' | 'abandoned';
  started: number;
  accounts: Map<string, AccountRecord & { slug: string }>;
  entitlements: Map<string, string>;
  counts: { created: number; updated: number; unchanged: number; removed: number } | null;
  memberships: { added: number; removed: number } | null;
}

class Model {
  #now = 0;
  readonly sessions: Session[] = [];
  readonly accounts: Account[] = [];
  readonly entitlements = new Map<string, { name: string; active: boolean }>();

  get open(): Session | undefined {
    return this.sessions.find(({ status }) => status === 'in_progress');
  }

  find = (slug: string, id: string) => this.accounts.find((one) => one.slug === slug && one.id === id);

  start() {
    const replaced = this.open;
    if (replaced !== undefined) replaced.status = 'abandoned';
    this.sessions.push({
      status: 'in_progress',
      started: this.#now++,
      accounts: new Map(),
      entitlements: new Map(),
      counts: null,
      memberships: null,
    });
  }

  end(session: Session, status: 'completed' | 'abandoned') {
    session.status = status;
    const counts = { created: 0, updated: 0, unchanged: 0, removed: 0 };
    const memberships = { added: 0, removed: 0 };
    const isKnown = (tasked: number | null) => tasked === null || tasked < session.started;

    const staged = stagedEntitlements(session);
    for (const [key, { name, pushed }] of staged) {
      const known = this.entitlements.get(key);
      const wanted = pushed || !known?.name ? name : known.name;
      if (known === undefined) counts.created++;
      else if (known.active && known.name === wanted) counts.unchanged++;
      else counts.updated++;
      this.entitlements.set(key, { name: wanted, active: true });
    }

    this.#adopt(session);
    const pushed = new Set<Account>();
    for (const { slug, id, display_name, status: wanted, refs, details } of session.accounts.values()) {
      let account = this.find(slug, id);
      const fields = {
        email: emailOf(id),
        display_name,
        status: STATUS[wanted],
        removed: false,
        tasked: null,
      };
      if (account === undefined) {
        account = { slug, id, ...fields, memberships: new Map(), details: {} };
        for (const awaited of this.#awaiting(emailOf(id))) awaited.candidates?.push(account);
        this.accounts.push(account);
        counts.created++;
      } else if (JSON.stringify({ ...account, ...fields }) === JSON.stringify(account)) counts.unchanged++;
      else counts.updated++;
      Object.assign(account, fields, { details });
      pushed.add(account);
      const held = new Set(refs.map(keyOf));
      for (const key of held) {
        if (!account.memberships.has(key)) memberships.added++;
        account.memberships.set(key, null);
      }
      for (const [key, tasked] of account.memberships) {
        if (status === 'abandoned' || held.has(key) || !isKnown(tasked)) continue;
        account.memberships.delete(key);
        memberships.removed++;
      }
    }

    if (status === 'completed') {
      const granted = this.accounts.flatMap((one) =>
        [...one.memberships].filter(([, tasked]) => !isKnown(tasked)),
      );
      for (const [key, entitlement] of this.entitlements) {
        if (!entitlement.active || staged.has(key) || granted.some(([held]) => held === key)) continue;
        entitlement.active = false;
        counts.removed++;
      }
      for (const account of this.accounts) {
        if (pushed.has(account) || account.removed || account.status === 'NEW' || !isKnown(account.tasked))
          continue;
        if (account.id === null && account.candidates?.some((one) => pushed.has(one))) continue;
        account.status = 'INACTIVE';
        account.removed = true;
        counts.removed++;
        memberships.removed += account.memberships.size;
        account.memberships.clear();
      }
      this.#adoptCandidates();
    }
    session.counts = counts;
    session.memberships = memberships;
  }

  #awaiting = (email: string) =>
    this.accounts.filter(
      (one) => one.id === null && (one.status === 'NEW' || one.status === 'INVITED') && one.email === email,
    );

  /** The records of earlier sessions that still exist and may be this account. */
  #candidates = (awaited: Account) =>
    (awaited.candidates ?? []).filter(({ id, removed }) => id !== null && !removed);

  /** At the end of a completed session, the only record left takes over the pending account (D24). */
  #adoptCandidates() {
    const waiting = this.accounts.filter((one) => this.#awaiting(one.email).includes(one));
    const merges = waiting.flatMap((awaited) => {
      const [only, ...others] = this.#candidates(awaited);
      if (only === undefined || others.length > 0) return [];
      return waiting.some((one) => one !== awaited && this.#candidates(one).includes(only))
        ? []
        : [[awaited, only] as const];
    });
    for (const [awaited, { slug, id, status, memberships, details }] of merges)
      Object.assign(awaited, {
        ...{ slug, id, status, details, candidates: [] },
        memberships: new Map([...memberships, ...awaited.memberships]),
      });
    for (const [, duplicate] of merges)
      Object.assign(duplicate, {
        id: null,
        status: 'INACTIVE',
        removed: true,
        memberships: new Map(),
        details: {},
      });
  }

  /** A record with an unknown id takes over the pending account with its email if no other record matches (D24). */
  #adopt(session: Session) {
    const unknown = [...session.accounts.values()].filter(
      ({ slug, id }) => this.find(slug, id) === undefined,
    );
    for (const { slug, id } of unknown) {
      const claimants = unknown.filter((one) => one.id === id);
      const [awaited, ...more] = this.#awaiting(emailOf(id));
      if (awaited === undefined || more.length > 0 || claimants.length > 1) continue;
      if (this.#candidates(awaited).length > 0) continue;
      Object.assign(awaited, { slug, id, candidates: [] });
    }
  }

  invite(id: string, status: string) {
    this.accounts.push({
      slug: 'person',
      id: null,
      email: emailOf(id),
      display_name: '',
      status,
      removed: false,
      tasked: this.#now++,
      memberships: new Map(),
      details: {},
      candidates: [],
    });
  }

  grant(account: Account, key: string) {
    account.memberships.set(key, this.#now++);
  }

  suspend(account: Account) {
    account.status = 'SUSPENDED';
    account.tasked = this.#now++;
  }

  inventory() {
    const name = ({ slug, id, email }: Account) => `${slug}:${id ?? email}`;
    const holders = this.accounts.filter(({ memberships }) => memberships.size > 0);
    return {
      accounts: Object.fromEntries(this.accounts.map((one) => [name(one), one.status])),
      entitlements: Object.fromEntries(
        [...this.entitlements]
          .filter(([, { active }]) => active)
          .map(([key, entitlement]) => [key, entitlement.name]),
      ),
      memberships: Object.fromEntries(holders.map((one) => [name(one), [...one.memberships.keys()].sort()])),
    };
  }

  /** The details of accounts that have any, and whether each counts as a service account of nobody. */
  details() {
    const described = this.accounts.filter(({ details }) => Object.keys(details).length > 0);
    return Object.fromEntries(
      described.map(({ slug, id, details }) => [
        `${slug}:${id}`,
        { ...details, isService: details.owner !== undefined },
      ]),
    );
  }
}

const keyOf = ({ slug, id }: { slug: string; id: string }) => `${slug}:${id}`;

/** Returns the pushed entitlements and those that the last pushes of accounts refer to. */
function stagedEntitlements({
  accounts,
  entitlements,
}: Session): Map<string, { name: string; pushed: boolean }> {
  const staged = new Map<string, { name: string; pushed: boolean }>();
  for (const reference of [...accounts.values()].flatMap(({ refs }) => refs)) {
    const { name = '' } = staged.get(keyOf(reference)) ?? {};
    const other = reference.name ?? '';
    staged.set(keyOf(reference), { name: other > name ? other : name, pushed: false });
  }
  for (const [key, name] of entitlements) staged.set(key, { name, pushed: true });
  return staged;
}

// The comparison ------------------------------------------------------------------------------------------------

class Run {
  readonly #app: SyncedApp;
  readonly #model = new Model();
  /** The ids of the model's sessions. */
  readonly #ids: string[] = [];

  constructor(app: SyncedApp) {
    this.#app = app;
  }

  async take(step: Step): Promise<void> {
    const model = this.#model;
    const last = model.sessions.length - 1;
    switch (step.do) {
      case 'start':
        this.#ids.push(await this.#app.start());
        return model.start();
      case 'complete': {
        if (last < 0) return;
        const answer = await this.#app.bridge('POST', `/sync/${this.#ids[last]}/complete/`);
        const session = model.sessions[last] as Session;
        expect(answer.status).toBe(session.status === 'abandoned' ? 400 : 202);
        if (session.status === 'in_progress') model.end(session, 'completed');
        return;
      }
      case 'abandon': {
        if (last < 0) return;
        const answer = await this.#app.abandon(this.#ids[last] ?? '');
        const session = model.sessions[last] as Session;
        expect(answer.status).toBe(session.status === 'completed' ? 400 : 204);
        if (session.status === 'in_progress') model.end(session, 'abandoned');
        return;
      }
      case 'push accounts':
        return this.#push(
          step.session,
          step.slug,
          step.records.map(({ refs, details, ...fields }) => ({
            ...fields,
            ...details,
            email: emailOf(fields.id),
            ...relations(refs),
          })),
          (session) => {
            for (const one of step.records)
              session.accounts.set(keyOf({ slug: step.slug, id: one.id }), { ...one, slug: step.slug });
          },
        );
      case 'push entitlements':
        return this.#push(step.session, step.slug, step.records, (session) => {
          for (const { id, name } of step.records)
            session.entitlements.set(keyOf({ slug: step.slug, id }), name);
        });
      case 'settle':
        return this.settle();
      default:
        await this.settle();
        return this.#task(step);
    }
  }

  async #push(back: number, slug: string, records: unknown[], note: (session: Session) => void) {
    const index = this.#model.sessions.length - 1 - back;
    const session = this.#model.sessions[index];
    if (session === undefined) return;
    const answer = await this.#app.push(this.#ids[index] ?? '', slug, records);
    if (session.status !== 'in_progress') return expect(answer.status).toBe(400);
    expect(answer).toMatchObject({ status: 200, body: { total: records.length } });
    expect(answer.body.created + answer.body.updated).toBe(records.length);
    note(session);
  }

  /** Changes the inventory as a completed task does (D25, D26). */
  async #task(step: Extract<Step, { do: 'invite' | 'grant' | 'suspend' }>) {
    const model = this.#model;
    const { db } = service.database;
    const appId = this.#app.id;
    if (step.do === 'invite') {
      if (model.accounts.some(({ id, email }) => id === null && email === emailOf(step.id))) return;
      await sql`
        with added as (
          insert into account (org_id, app_id, resource_type_id, email, status, tasked_at)
          select ${service.orgId}::uuid, a.id, t.id, ${emailOf(step.id)}, ${step.status}, clock_now()
          from app a join resource_type t on t.org_id = ${service.orgId} and t.clone_group_id = a.clone_group_id and t.slug = 'person'
          where a.org_id = ${service.orgId} and a.id = ${appId} returning app_id, status
        )
        insert into account_count (org_id, app_id, status, linked, n)
        select ${service.orgId}::uuid, app_id, status, false, 1 from added`.execute(db);
      return model.invite(step.id, step.status);
    }
    const account = model.find(step.slug, step.id);
    if (account === undefined || account.removed) return;
    if (step.do === 'suspend') {
      await sql`
        with changed as (
          update account a set status = 'SUSPENDED', tasked_at = clock_now() from resource_type t
          where t.org_id = ${service.orgId} and t.id = a.resource_type_id and t.slug = ${step.slug}
            and a.org_id = ${service.orgId} and a.app_id = ${appId} and a.external_id = ${step.id}
          returning a.org_id, a.app_id, old.status as old_status, new.status as new_status
        )
        insert into account_count (org_id, app_id, status, linked, n)
        select ${service.orgId}::uuid, app_id, old_status, false, -1 from changed
        union all select ${service.orgId}::uuid, app_id, new_status, false, 1 from changed`.execute(db);
      return model.suspend(account);
    }
    const key = keyOf(step.ref);
    if (model.entitlements.get(key)?.active !== true) return;
    await sql`
      with granted as (
        insert into membership (org_id, account_id, entitlement_id, tasked_at)
        select a.org_id, a.id, e.id, clock_now()
        from account a
        join resource_type ta on ta.org_id = a.org_id and ta.id = a.resource_type_id and ta.slug = ${step.slug}
        join entitlement e on e.org_id = a.org_id and e.app_id = a.app_id and e.external_id = ${step.ref.id}
        join resource_type te on te.org_id = a.org_id and te.id = e.resource_type_id and te.slug = ${step.ref.slug}
        where a.org_id = ${service.orgId} and a.app_id = ${appId} and a.external_id = ${step.id}
        on conflict (org_id, account_id, entitlement_id) do update set tasked_at = excluded.tasked_at
        returning entitlement_id, old.entitlement_id is null as added
      )
      insert into member_count (org_id, entitlement_id, n)
      select ${service.orgId}::uuid, entitlement_id, 1 from granted where added`.execute(db);
    model.grant(account, key);
  }

  /** Waits for completing sessions, then compares everything. */
  async settle(): Promise<void> {
    for (const [index, { status, counts, memberships }] of this.#model.sessions.entries()) {
      const view = await untilEnded(this.#app, this.#ids[index] ?? '');
      expect({ status: view.status, counts: view.counts, memberships: view.membership_counts }).toEqual({
        status,
        counts,
        memberships,
      });
    }
    expect(await inventoryOf(service, this.#app.id)).toEqual(this.#model.inventory());
    expect(await detailsOf(this.#app.id)).toEqual(this.#model.details());
    expect(await broken(this.#app.id)).toEqual([]);
  }
}

async function detailsOf(appId: string) {
  const { rows } = await sql<{ account: string; details: Details }>`
    select t.slug || ':' || a.external_id as account, jsonb_strip_nulls(jsonb_build_object(
        'last_sign_in_at', to_char(d.last_sign_in_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'owner', d.owner_email, 'attributes', d.attributes, 'isService', o.account_id is not null)) as details
    from account a
    join resource_type t on t.org_id = a.org_id and t.id = a.resource_type_id
    join account_detail d on d.org_id = a.org_id and d.account_id = a.id
    left join account_owner o on o.org_id = a.org_id and o.account_id = a.id and o.kind = 'service' and o.owner_id is null
    where a.org_id = ${service.orgId} and a.app_id = ${appId}
      and num_nonnulls(d.last_sign_in_at, d.owner_email, d.attributes) > 0`.execute(service.database.db);
  return Object.fromEntries(rows.map(({ account, details }) => [account, details]));
}

function relations(refs: Ref[]) {
  const by = (slugs: string[]) => {
    const wanted = refs.filter(({ slug }) => slugs.includes(slug));
    return Object.fromEntries(
      Map.groupBy(wanted, ({ slug }) => slug)
        .entries()
        .map(([slug, list]) => [slug, list.map(({ slug: _, ...reference }) => reference)]),
    );
  };
  return { memberships: by(['team', 'channel']), assignments: by(['seat']) };
}

/** Finds broken references, which no foreign key prevents (ADR 8), and wrong counts. */
async function broken(appId: string): Promise<string[]> {
  const { db } = service.database;
  const { rows } = await sql<{ what: string }>`
    with m as (select * from membership where org_id = ${service.orgId}),
    a as (select * from account where org_id = ${service.orgId}),
    e as (select * from entitlement where org_id = ${service.orgId})
    select 'membership without account' as what from m where account_id not in (select id from a)
    union all select 'membership without entitlement' from m where entitlement_id not in (select id from e)
    union all select 'membership across apps' from m
      join a on a.id = m.account_id join e on e.id = m.entitlement_id where a.app_id <> e.app_id
    union all select 'account without app or account type' from a
      where not exists (
        select from app p join resource_type t on t.org_id = ${service.orgId} and t.clone_group_id = p.clone_group_id
        where p.org_id = ${service.orgId} and p.id = a.app_id and t.id = a.resource_type_id and t.type = 'account')
    union all select 'removed account that is not inactive' from a where removed_at is not null and status <> 'INACTIVE'
    union all select 'membership of a removed account' from m join a on a.id = m.account_id where a.removed_at is not null
    union all select 'wrong count of ' || status from (
      select status, count(*) as n from a where app_id = ${appId} group by status
      union all
      select status, -sum(n) from account_count where org_id = ${service.orgId} and app_id = ${appId} group by status
    ) as counts group by status having sum(n) <> 0
    union all select 'wrong count of members' from (
      select entitlement_id, count(*) as n from m group by 1
      union all
      select entitlement_id, -sum(n) from member_count where org_id = ${service.orgId} group by 1
    ) as counts group by entitlement_id having sum(n) <> 0
    union all select 'page of a session that has ended' from sync_page p
      join sync_session s on s.org_id = ${service.orgId} and s.id = p.session_id
      where p.org_id = ${service.orgId} and s.status <> 'in_progress'`.execute(db);
  return rows.map(({ what }) => what);
}

test('every sequence of sessions and tasks matches the model', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 7, size: 'max' }), async (rounds) => {
      const app = await addSyncedApp(service);
      await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: null });
      const run = new Run(app);
      for (const one of rounds.flat()) await run.take(one);
      await run.settle();
    }),
    { numRuns: service.database.engine === 'citus' ? 10 : 40 },
  );
});
