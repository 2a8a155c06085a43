import { expect } from 'vitest';
import { sql } from '#kit/sql.ts';
import type { Answer } from '../app.ts';
import { addPersonWithKey } from '../people.ts';
import { openProvisioningTest, type ProvisioningTest } from '../provisioning.ts';

/** A group or license. Null: the account itself. */
export type Key = 'red' | 'blue' | 'gold' | null;
export const ENTITLEMENTS = ['red', 'blue', 'gold'] as const;
const SLUG = { red: 'team', blue: 'team', gold: 'seat' } as const;

export const PEOPLE = ['ann', 'bob'] as const;
export type Person = (typeof PEOPLE)[number];

/** An account in the external system. */
interface Record {
  status: 'active' | 'suspended';
  held: Set<(typeof ENTITLEMENTS)[number]>;
}

/** A task as the model sees it. */
export interface SeenTask {
  id: string;
  account: string;
  action: string;
  status: string;
  /** The kind and the id of its decision, as grants name it. */
  kind: string;
  source: string;
  label: string;
  by: string;
  /** In days from now. */
  due: number;
  hadTurn: boolean;
  dispatched: boolean;
  /** Whether it ends what a grant gave whose time is over. */
  isEnd: boolean;
  leaving: boolean;
  reason: string | null;
  why: string | null;
  retryOf: string | null;
  isRetried: boolean;
  /** Days since it ended. */
  endedFor: number | null;
  changes: { key: Key; added: boolean; spared: boolean }[];
}

export interface SeenAccount {
  id: string;
  status: string;
  user: string | null;
  /** Access that it has, and whether it was found. `null`: the account. */
  held: Map<Key, { found: boolean; grants: string[] }>;
  suspensions: string[];
}

export interface SeenGrant {
  id: string;
  account: string;
  key: Key;
  kind: string;
  source: string;
  /** In days from now. */
  starts: number;
  ends: number | null;
  endedBy: { kind: string; external_uuid: string | null } | null;
}

export interface SeenSuspension {
  id: string;
  account: string;
  kind: string;
  source: string;
}

/** All that the API shows after a step. */
export interface Seen {
  tasks: SeenTask[];
  accounts: SeenAccount[];
  grants: { [status in 'active' | 'scheduled' | 'owed' | 'ended']: SeenGrant[] };
  suspensions: SeenSuspension[];
}

/** The tables whose rows get older when time passes, with their times. */
const AGING: { [table: string]: readonly string[] } = {
  access_grant: ['starts_at', 'ends_at', 'ended_at', 'gone_since', 'recorded_at', 'end_recorded_at'],
  account: [
    'removed_at',
    'tasked_at',
    'seen_at',
    'created_at',
    'since',
    'not_before',
    'known_from',
    'linked_at',
  ],
  account_link_period: ['since', 'ended_at'],
  account_period: ['not_before', 'since', 'seen_until', 'gone_by', 'known_from', 'ended_at', 'known_to'],
  app: ['created_at', 'last_synced_at'],
  entitlement: ['created_at', 'updated_at', 'since', 'not_before', 'known_from', 'tasked_at'],
  history_start: ['at'],
  inventory_change: [
    'started_at',
    'at',
    'completed_at',
    'not_before',
    'seen_until',
    'gone_by',
    'reverted_at',
  ],
  membership: ['granted_at', 'tasked_at', 'not_before', 'known_from', 'seen_until', 'via_since'],
  membership_period: ['not_before', 'since', 'seen_until', 'gone_by', 'known_from', 'ended_at', 'known_to'],
  review_cycle: ['opens_at', 'begun_at', 'opened_at', 'due_at', 'completed_at'],
  review_item: ['since', 'last_seen_at', 'assigned_at', 'decided_at'],
  suspension: ['since', 'ended_at', 'recorded_at', 'end_recorded_at'],
  sync_session: ['started_at', 'completing_at', 'published_at', 'finished_at'],
  task: [
    'execute_after',
    'blocked_at',
    'released_at',
    'dispatched_at',
    'ended_at',
    'awaits_return_until',
    'created_at',
  ],
  ticket: ['start_time', 'end_time', 'created_at', 'decided_at'],
};

const DAY = 86_400;
const daysUntil = (time: string) => (Date.parse(time) - Date.now()) / 1000 / DAY;

/** An organization with two people, an app and its external system. */
export class World {
  readonly service: ProvisioningTest;
  /** The key of the manager, who asks for access. */
  readonly manager: { key: string };
  readonly people: { [name in Person]: string };
  readonly outside = new Map<string, Record>();
  /** Times to which a restore can go back. */
  readonly moments: Date[] = [];
  /** The clock, in days. */
  now = 0;

  constructor(service: ProvisioningTest, manager: World['manager'], people: World['people']) {
    this.service = service;
    this.manager = manager;
    this.people = people;
  }

  static async open(policies: readonly object[]): Promise<World> {
    const service = await openProvisioningTest();
    const manager = await addPersonWithKey(service, 'member');
    const { call, appId } = service;
    await call('PATCH', `/api/apps/${appId}/`, { removal_guard: null });
    await call('PATCH', '/api/organization/', { people_guard: null, group_guard: null });
    const people: Partial<World['people']> = {};
    for (const name of PEOPLE)
      people[name] = (
        await call('POST', '/api/users/', { email: `${name}@acme.example`, manager: manager.id })
      ).body.external_uuid;
    for (const policy of policies) {
      const effects = (policy as { effects: object[] }).effects.map((one) => ({ ...one, app: appId }));
      const { status, body } = await call('POST', '/api/policies/', { enabled: true, ...policy, effects });
      if (status !== 201) throw new Error(JSON.stringify(body));
    }
    const world = new World(service, manager, people as World['people']);
    world.outside.set('ann', { status: 'active', held: new Set(['red']) });
    await world.sync(null);
    return world;
  }

  /** Sends a request. Throws if the service fails: a step that does nothing would hide it. */
  call = async (method: string, path: string, body?: unknown, by?: { key: string }): Promise<Answer> => {
    const answer = await this.service.call(method, path, body, by);
    if (answer.status > 499) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer;
  };

  /** Returns the account of a person that exists, or is to be created. */
  async accountOf(name: Person): Promise<string | undefined> {
    const { body } = await this.call('GET', `/api/accounts/?app=${this.service.appId}&limit=50`);
    const own = body.results.filter(({ user }: { user: string }) => user === this.people[name]);
    const live = own.find(({ status }: { status: string }) => status !== 'INACTIVE');
    return (live ?? own[0])?.external_uuid;
  }

  /** A whole sync, without the account or access that it misses. */
  async sync(misses: { name: Person; key: Key } | null): Promise<void> {
    const records = [...this.outside].flatMap(([id, { status, held }]) => {
      if (misses?.name === id && misses.key === null) return [];
      const shown = [...held].filter((key) => misses?.name !== id || misses.key !== key);
      const of = (slug: string) => shown.filter((key) => SLUG[key] === slug).map((key) => ({ id: key }));
      const email = `${id}@acme.example`;
      return [{ id, email, status, memberships: { team: of('team') }, assignments: { seat: of('seat') } }];
    });
    await this.service.sync(records);
  }

  /** Carries out a task in the external system. */
  carryOut({ action, payload }: { action: string; payload: Payload }): string | null {
    const created = payload.account.email?.split('@')[0];
    const id = action === 'create_account' ? (created ?? '') : payload.account.id;
    if (action === 'create_account' && !this.outside.has(id))
      this.outside.set(id, { status: 'active', held: new Set() });
    const record = this.outside.get(id);
    if (record === undefined) return null;
    if (action === 'delete_account') this.outside.delete(id);
    if (action === 'suspend_account') record.status = 'suspended';
    if (action === 'unsuspend_account') record.status = 'active';
    const added = [
      payload.memberships,
      ...Object.values(payload.changes ?? {}).map((one) => ({ x: one.added })),
    ];
    for (const { id: key } of added.flatMap((one) => Object.values(one ?? {}).flat()))
      record.held.add(key as (typeof ENTITLEMENTS)[number]);
    for (const { removed } of Object.values(payload.changes ?? {}))
      for (const { id: key } of removed) record.held.delete(key as (typeof ENTITLEMENTS)[number]);
    return id;
  }

  /** Makes everything that has happened older. */
  async passTime(days: number): Promise<void> {
    const { db } = this.service.database;
    for (const [table, columns] of Object.entries(AGING)) {
      const older = columns.map(
        (name) => sql`${sql.ref(name)} = seconds_after(${sql.ref(name)}, ${-days * DAY})`,
      );
      const of = table === 'app' ? sql`id = ${this.service.appId} and org_id` : sql`org_id`;
      await sql`update ${sql.table(table)} set ${sql.join(older)} where ${of} = ${this.service.orgId}`.execute(
        db,
      );
    }
    for (const moment of this.moments) moment.setTime(moment.getTime() - days * DAY * 1000);
    this.now += days;
    await this.settle();
  }

  /** Lets the service do all work that is due. */
  settle = () => this.service.app.tick();

  async look(): Promise<Seen> {
    const { appId } = this.service;
    const list = async (path: string) => {
      const { status, body } = await this.call('GET', path);
      if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
      return body.results;
    };
    const grantsWith = async (status: string): Promise<SeenGrant[]> =>
      (await list(`/api/grants/?app=${appId}&status=${status}&limit=500`)).map(
        // biome-ignore lint/suspicious/noExplicitAny: the body of a list.
        ({ external_uuid, account, resource, source, starts_at, ends_at, ended_by }: any) => ({
          ...{ id: external_uuid, account, key: resource, endedBy: ended_by },
          ...{ kind: source.kind, source: source.external_uuid },
          ...{ starts: daysUntil(starts_at), ends: ends_at === null ? null : daysUntil(ends_at) },
        }),
      );
    const [accounts, active, scheduled, owed, ended, suspensions, tasks] = await Promise.all([
      list(`/api/accounts/?app=${appId}&limit=50`),
      ...['active', 'scheduled', 'owed', 'ended'].map(grantsWith),
      list(`/api/suspensions/?app=${appId}&limit=200`),
      this.#tasks(),
    ] as const);
    return {
      tasks: tasks as SeenTask[],
      accounts: accounts.map(seenAccount),
      grants: { active, scheduled, owed, ended } as Seen['grants'],
      // biome-ignore lint/suspicious/noExplicitAny: the body of a list.
      suspensions: suspensions.map(({ external_uuid, account, source }: any) => ({
        ...{ id: external_uuid, account, kind: source.kind, source: source.external_uuid },
      })),
    };
  }

  /** Compares the members of each group and license with the accounts that have it. */
  async sameMembers(): Promise<void> {
    const { accounts } = await this.look();
    const resources = `/api/apps/${this.service.appId}/resources/`;
    const { results } = (await this.call('GET', resources)).body;
    for (const key of ENTITLEMENTS) {
      const { external_uuid } = results.find(({ id }: { id: string }) => id === key);
      const { status, body } = await this.call('GET', `${resources}${external_uuid}/members/`);
      // biome-ignore lint/suspicious/noExplicitAny: the body of a list.
      const shown = body.results.map(({ external_uuid: account, found, grants }: any) => ({
        ...{ account, found, grants: idsOf(grants) },
      }));
      const expected = accounts.flatMap(({ id, held }) =>
        held.has(key) ? [{ account: id, ...held.get(key) }] : [],
      );
      const byAccount = (list: { account: string }[]) =>
        list.toSorted((a, b) => a.account.localeCompare(b.account));
      expect([status, byAccount(shown)]).toEqual([200, byAccount(expected)]);
    }
  }

  async #tasks(): Promise<SeenTask[]> {
    const { rows } = await sql<SeenTask>`
      select t.id, t.account_id as account, t.action, t.status, coalesce(t.source_id, t.id) as source, t.source_label as label,
        case t.source_type when 'ticket' then 'request' when 'review_item' then 'review' when 'policy' then 'policy'
          when 'restore' then 'restore' else 'manual' end as kind, t.created_by as by,
        extract(epoch from t.execute_after - clock_now())::double precision / ${DAY} as due,
        t.status in ('pending', 'completed', 'failed') or coalesce(t.waits_for in ('account', 'external_id'), false) as "hadTurn",
        t.dispatched_at is not null as dispatched, t.preconditions @> '[{"kind": "no_grant"}]' as "isEnd", t.leaving,
        t.ended_reason ->> 'code' as reason, t.reason ->> 'text' as why, t.retry_of as "retryOf",
        extract(epoch from clock_now() - t.ended_at)::double precision / ${DAY} as "endedFor",
        exists (select from task r where r.org_id = t.org_id and r.retry_of = t.id) as "isRetried",
        coalesce((select jsonb_agg(jsonb_build_object('key', e.external_id, 'added', c.added, 'spared', c.spared))
          from task_change c join entitlement e on e.org_id = c.org_id and e.id = c.entitlement_id
          where c.org_id = t.org_id and c.task_id = t.id), '[]') as changes
      from task t where t.org_id = ${this.service.orgId} order by t.number`.execute(this.service.database.db);
    return rows;
  }
}

export interface Payload {
  account: { id: string; email?: string };
  memberships: { [slug: string]: { id: string }[] } | null;
  changes: { [slug: string]: { added: { id: string }[]; removed: { id: string }[] } } | null;
}

const idsOf = (grants: { external_uuid: string }[]) => grants.map(({ external_uuid }) => external_uuid);

// biome-ignore lint/suspicious/noExplicitAny: the body of an account.
function seenAccount(one: any): SeenAccount {
  const held: SeenAccount['held'] = new Map();
  for (const { id, found, grants } of [
    ...Object.values(one.memberships).flat(),
    ...Object.values(one.assignments).flat(),
    // biome-ignore lint/suspicious/noExplicitAny: the groups and licenses of an account.
  ] as any[])
    held.set(id, { found, grants: idsOf(grants) });
  if (['INVITED', 'ACTIVE', 'SUSPENDED'].includes(one.status))
    held.set(null, { found: one.found, grants: idsOf(one.grants) });
  const suspensions = idsOf(one.suspensions ?? []);
  return { id: one.external_uuid, status: one.status, user: one.user, held, suspensions };
}
