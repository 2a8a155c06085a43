import { sql } from '#kit/sql.ts';
import type { Answer, TestApp } from './app.ts';
import { addPersonWithKey } from './people.ts';

/** How a story reaches a node of the service. */
export interface Node {
  call(method: string, path: string, body?: unknown, by?: { key: string }): Promise<Answer>;
  /** Opens a review, if the service does not do it in the background. */
  open(cycleId: string): Promise<void>;
  /** Lets policies fire, if the service does not do it in the background. */
  fire(): Promise<void>;
}

/** The person about whom a story decides, with their account, which has the group red. */
export interface Subject {
  app: string;
  user: string;
  account: string;
  /** Their manager. */
  manager: { key: string };
}

/** A decision that writes grants or suspensions. */
export interface Story {
  /** Returns the id that the decision needs. */
  prepare(node: Node, subject: Subject): Promise<string>;
  decide(node: Node, subject: Subject, id: string): Promise<unknown>;
  /** Whether a policy decides. */
  fires?: true;
  /** Some of what the decision writes (see linesOf). The first is its reason. */
  writes: readonly string[];
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

async function sent(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  if (status > 299) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

const task = async ({ call }: Node, { app, account }: Subject, action: string, more: object = {}) =>
  (await sent(call('POST', '/api/tasks/', { app, account, action, reason: 'By phone', ...more })))
    .external_uuid;

const nothing = async () => '';
const blue = { changes: { team: { added: ['blue'] } } };
const red = { changes: { team: { removed: ['red'] } } };

/** Asks for the group blue, for a week. Returns the request. */
const asked = async ({ call }: Node, { app, user, manager }: Subject) => {
  const access = { type: 'MODIFY_ACCESS', memberships: { team: ['blue'] }, end_time: inDays(7) };
  return (await sent(call('POST', '/api/tickets/', { app, user, ...access }, manager))).external_uuid;
};
const approved = (node: Node, id: string) =>
  sent(node.call('POST', `/api/tickets/${id}/approve/`, { override: true, comment: 'In a test' }));

const report = ({ call }: Node, { app }: Subject, id: string) =>
  sent(call('PATCH', `/api/v1/bridge/apps/${app}/tasks/${id}/status/`, { status: 'completed' }));

const team = (name: string) => ({ attributes: { team: name } });

/** The policies that fire in the stories. */
const POLICIES = [
  {
    ...{ name: 'Sales', trigger: 'user.updated', condition: `user.attributes.team == 'sales'` },
    effects: [{ do: 'grant', memberships: { team: ['blue'] } }],
  },
  {
    ...{ name: 'Security', trigger: 'user.updated', condition: `user.attributes.team == 'suspects'` },
    effects: [{ do: 'suspend' }],
  },
];

const fires = (name: string) => ({
  fires: true as const,
  prepare: async ({ call }: Node, { user }: Subject) =>
    (await sent(call('PATCH', `/api/users/${user}/`, team(name)))).external_uuid,
  decide: ({ fire }: Node) => fire(),
});

export const STORIES: { [name: string]: Story } = {
  'a task by hand gives access': {
    prepare: nothing,
    decide: (node, subject) => task(node, subject, 'update_account', blue),
    writes: ['grant manual', 'task update_account pending', 'event task.created'],
  },
  'a request for a week is approved': {
    prepare: asked,
    decide: (node, _, id) => approved(node, id),
    writes: [
      ...['grant request with an end', 'task update_account pending', 'task update_account scheduled'],
      'event ticket.approved',
    ],
  },
  'a policy grants access': {
    ...fires('sales'),
    writes: ['grant policy', 'task update_account pending', 'event task.created'],
  },
  'a policy suspends an account': {
    ...fires('suspects'),
    writes: ['suspension policy', 'task suspend_account pending', 'event task.created'],
  },
  'a review takes temporary access away': {
    prepare: async (node, subject) => {
      const { call, open } = node;
      await approved(node, await asked(node, subject));
      const { results } = await sent(call('GET', `/api/tasks/?account=${subject.account}&status=pending`));
      await report(node, subject, results[0].external_uuid);
      const campaign = { name: 'Quarterly', scope: { include: ['memberships'] }, cooling_off_hours: 0 };
      const { external_uuid } = await sent(call('POST', '/api/reviews/', campaign));
      const cycle = await sent(call('POST', `/api/reviews/${external_uuid}/start/`));
      await open(cycle.external_uuid);
      return cycle.external_uuid;
    },
    decide: async ({ call }, { account }, cycle) => {
      const path = `/api/reviews/cycles/${cycle}`;
      const { results } = await sent(call('GET', `${path}/items/?limit=200`));
      const item = results.find(
        (one: { account: { external_uuid: string }; resource: { id: string } }) =>
          one.account.external_uuid === account && one.resource.id === 'blue',
      );
      await sent(call('POST', `${path}/decisions/`, { items: [item.id], decision: 'revoke' }));
    },
    writes: [
      'grant request with an end ended by review',
      'task update_account cancelled',
      'task update_account pending',
    ],
  },
  'a task by hand suspends an account': {
    prepare: nothing,
    decide: (node, subject) => task(node, subject, 'suspend_account'),
    writes: ['suspension manual', 'task suspend_account pending', 'event task.created'],
  },
  'a task by hand lifts a suspension': {
    prepare: async (node, subject) => {
      await report(node, subject, await task(node, subject, 'suspend_account'));
      return '';
    },
    decide: (node, subject) => task(node, subject, 'unsuspend_account'),
    writes: ['suspension manual ended by manual', 'task unsuspend_account pending', 'event task.created'],
  },
  'a task that gives access is canceled': {
    prepare: (node, subject) => task(node, subject, 'update_account', blue),
    decide: ({ call }, _, id) => sent(call('POST', `/api/tasks/${id}/cancel/`)),
    writes: ['grant manual ended by manual', 'task update_account cancelled', 'event task.cancelled'],
  },
  'a deletion is reported': {
    prepare: async (node, subject) => {
      await approved(node, await asked(node, subject));
      return task(node, subject, 'delete_account');
    },
    decide: report,
    writes: [
      'grant request with an end ended by manual',
      'task delete_account completed',
      'event task.completed',
    ],
  },
  'a restore gives access back': {
    prepare: async (node, subject) => {
      const at = new Date().toISOString();
      await report(node, subject, await task(node, subject, 'update_account', red));
      return at;
    },
    decide: ({ call }, { user }, as_of) =>
      sent(call('POST', '/api/restore/', { users: [user], as_of, include_decided: true, dry_run: false })),
    writes: ['grant restore', 'task update_account pending', 'event restore.created'],
  },
};

/** An app with the policies of the stories. Returns who the next story is about. */
export async function openDecisions(
  service: Pick<TestApp, 'call' | 'database' | 'org'>,
): Promise<() => Promise<Subject>> {
  const { call } = service;
  const app = (await sent(call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' }))).id;
  const bridge = (method: string, path: string, body?: object) =>
    sent(call(method, `/api/v1/bridge/apps/${app}${path}`, body));
  await bridge('POST', '/resource-types/', { slug: 'person', name: 'People', type: 'account' });
  await bridge('POST', '/resource-types/', { slug: 'team', name: 'Teams', type: 'group' });
  await sent(call('PATCH', `/api/apps/${app}/`, { removal_guard: null }));
  const publish = async (records: object[]) => {
    const { sync_id } = await bridge('POST', '/sync/');
    await bridge('PUT', `/sync/${sync_id}/team/`, {
      records: ['red', 'blue'].map((id) => ({ id, name: id })),
    });
    await bridge('PUT', `/sync/${sync_id}/person/`, { records });
    // It publishes in the request, without background work.
    await bridge('POST', `/sync/${sync_id}/abandon/`);
  };
  await publish([]);
  for (const { effects, ...policy } of POLICIES) {
    const inApp = effects.map((one) => ({ ...one, app }));
    await sent(call('POST', '/api/policies/', { ...policy, enabled: true, effects: inApp }));
  }
  const manager = await addPersonWithKey(service as TestApp, 'member');
  let people = 0;
  return async () => {
    const name = `p${people++}`;
    const email = `${name}@acme.example`;
    const user = (await sent(call('POST', '/api/users/', { email, manager: manager.id }))).external_uuid;
    await publish([{ id: name, email, memberships: { team: [{ id: 'red' }] } }]);
    const { results } = await sent(call('GET', `/api/accounts/?app=${app}&email=${name}@`));
    return { app, user, account: results[0].external_uuid, manager };
  };
}

/** Returns in words what decisions have written in an organization. */
export async function linesOf({ db }: TestApp['database'], orgId: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', 'grant', kind, case when ends_at is not null then 'with an end' end, 'ended by ' || ended_kind,
      case when brought then 'brought' end, case when gone_since is not null then 'gone' end) as line
    from access_grant where org_id = ${orgId}
    union all
    select concat_ws(' ', 'suspension', kind, 'ended by ' || ended_kind) from suspension where org_id = ${orgId}
    union all
    select concat_ws(' ', 'task', action, status, waits_for) from task where org_id = ${orgId}
    union all
    select concat_ws(' ', 'change', added) from task_change where org_id = ${orgId}
    union all
    select concat_ws(' ', 'revoked', revoked_kind) from revoked_entry where org_id = ${orgId}
    union all
    select concat_ws(' ', 'account', status) from account where org_id = ${orgId}
    union all
    select concat_ws(' ', 'membership', given) from membership where org_id = ${orgId}
    union all
    select concat_ws(' ', 'request', status) from ticket where org_id = ${orgId}
    union all
    select concat_ws(' ', 'item', decision) from review_item where org_id = ${orgId} and decision is not null
    union all
    select concat_ws(' ', 'event', event_type) from event where org_id = ${orgId} and event_type <> 'api_key.used'
    order by 1`.execute(db);
  return rows.map(({ line }) => line);
}

/** Returns the statuses of all tasks, with the SQL expression for them. */
export async function tasksOf(
  { db }: TestApp['database'],
  orgId: string,
): Promise<{ now: string; expression: string }> {
  const expression = `(select string_agg(status, ' ' order by number) from task where org_id = '${orgId}')`;
  const { rows } = await sql<{ now: string }>`select ${sql.raw(expression)} as now`.execute(db);
  return { now: rows[0]?.now ?? '', expression };
}

/** Returns the lines that were added (`+`) and removed (`-`). */
export function changesOf(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before];
  const added = after.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...added.map((line) => `+ ${line}`), ...left.map((line) => `- ${line}`)];
}
