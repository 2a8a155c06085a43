import type { Api } from './api.ts';
import { until } from './until.ts';

/** The service, the app and the external system that the story takes place in. */
export interface Stage {
  api: Api;
  app: string;
  /** Names of the people who have a role in the demo's PostgreSQL server. */
  people: string[];
  /** Lets the connector carry out pending tasks, then sync. Returns the number of completed tasks. */
  work(): Promise<number>;
  /** Returns the groups of a role, read from PostgreSQL itself; null if the role does not exist. */
  groupsOf(role: string): Promise<string[] | null>;
  say(line: string): void;
}

interface Item {
  external_uuid: string;
}
interface List<T> {
  results: T[];
}
interface Account extends Item {
  email: string;
  status: string;
}
interface Person extends Item {
  email: string;
  role: string;
}
interface Task {
  action: string;
  app: Item;
}
interface GatehouseEvent {
  event_type: string;
  ingested_at: string;
  payload: { email?: string; group_name?: string; action?: string; label?: string; reason?: string };
}

const newcomer = 'nova@acme.example';

/**
 * Access in the life of a company: people are imported, one gets access, a review revokes a membership, one person
 * leaves. A request would need a second person, since nobody decides a request that they filed. Each decision becomes a task that the connector carries out on real roles.
 */
export async function tellStory(stage: Stage): Promise<void> {
  const { api, say } = stage;
  const since = new Date().toISOString();
  say('\n1. Import people from the HR system');
  const manager = await importPeople(stage);

  say(`\n2. ${newcomer} joins a team and gets access`);
  await grant(stage);

  say('\n3. An access review revokes a membership');
  await review(stage, manager);

  say('\n4. Grace leaves and a policy deletes her accounts');
  await leave(stage);

  say('\n5. The event log, oldest first (GET /api/events/)');
  for (const line of await eventLines(api, since)) say(`   ${line}`);
}

/** Returns the manager of everyone: the person that the API key acts for. */
async function importPeople({ api, people, say }: Stage): Promise<Person> {
  const { results } = await api.get<List<Person>>('/api/users/?limit=200');
  const manager = results.find(({ role }) => role === 'owner');
  if (manager === undefined) throw new Error('The organization has no owner.');
  const row = (name: string) => `${name}@acme.example,${name},${manager.email},Demo,active`;
  const csv = ['email,username,manager_email,department,status', ...[...people, 'nova'].map(row)].join('\n');
  const { created, updated, unchanged } = await api.postCsv<Record<string, number>>(
    '/api/users/import/',
    csv,
  );
  say(`   ${created} created, ${updated} updated, ${unchanged} unchanged; ${manager.email} is their manager`);
  return manager;
}

async function grant({ api, app, work, groupsOf, say }: Stage): Promise<void> {
  const nova = await personOf(api, newcomer);
  const engineering = await groupNamed(api, app, 'engineering');
  await api.post('/api/tasks/', {
    app,
    action: 'create_account',
    user: nova.external_uuid,
    memberships: { role: [engineering] },
    reason: 'Starts on Monday.',
  });
  say(`   an administrator granted it; her account is ${await statusOf(api, app, newcomer)}`);
  say(`   the connector carried out ${await work()} task`);
  say(`   PostgreSQL: role nova is in ${(await groupsOf('nova'))?.join(', ')}`);
  say(`   Gatehouse, after the next sync: ${await statusOf(api, app, newcomer)}`);
}

async function review({ api, app, work, groupsOf, say }: Stage, manager: Person): Promise<void> {
  const campaign = await api.post<Item>('/api/reviews/', {
    name: 'Team memberships',
    scope: { apps: [app], include: ['memberships'] },
    reviewer: [manager.external_uuid],
    frequency: 'once',
    cooling_off_hours: 0,
  });
  const cycle = await api.post<Item>(`/api/reviews/${campaign.external_uuid}/start/`);
  const address = `/api/reviews/cycles/${cycle.external_uuid}`;
  const opened = await until(
    () => api.get<{ status: string; progress: { items: number } }>(`${address}/`),
    ({ status }) => status === 'in_progress',
  );
  const items = await api.get<List<{ id: string; account: { email: string }; resource: { name: string } }>>(
    `${address}/items/?limit=200`,
  );
  const revoked = items.results.find(
    ({ account, resource }) => account.email === 'ada@acme.example' && resource.name === 'finance',
  );
  if (revoked === undefined) throw new Error('The review has no item for the membership of ada in finance.');
  const kept = items.results.filter((item) => item !== revoked).map(({ id }) => id);
  await api.post(`${address}/decisions/`, { items: kept, decision: 'keep', comment: 'Still needed.' });
  await api.post(`${address}/decisions/`, {
    items: [revoked.id],
    decision: 'revoke',
    comment: 'Moved to another team.',
  });
  say(`   ${opened.progress.items} memberships to review: ${kept.length} kept, ada in finance revoked`);
  say(`   PostgreSQL before: role ada is in ${(await groupsOf('ada'))?.join(', ')}`);
  say(`   the connector carried out ${await work()} task`);
  say(`   PostgreSQL after:  role ada is in ${(await groupsOf('ada'))?.join(', ')}`);
  const evidence = await api.get<{ items: { decision: string; seen_gone: boolean | null }[] }>(
    `${address}/evidence/?format=json`,
  );
  const proven = evidence.items.filter(
    ({ decision, seen_gone }) => decision === 'revoke' && seen_gone,
  ).length;
  say(`   evidence: a later sync confirmed ${proven} revocation`);
}

async function leave({ api, app, work, groupsOf, say }: Stage): Promise<void> {
  await api.post('/api/policies/', {
    name: `Delete accounts of leavers (${app.slice(-4)})`,
    trigger: 'user.deactivated',
    condition: 'true',
    effects: [{ do: 'delete', app }],
  });
  const grace = await personOf(api, 'grace@acme.example');
  await api.post(`/api/users/${grace.external_uuid}/deactivate/`);
  await until(
    () => api.get<List<Task>>('/api/tasks/?limit=50'),
    ({ results }) =>
      results.some((task) => task.app.external_uuid === app && task.action === 'delete_account'),
  );
  say(`   the connector carried out ${await work()} task`);
  say(
    `   PostgreSQL: ${(await groupsOf('grace')) === null ? 'role grace no longer exists' : 'role grace still exists'}`,
  );
  say(`   Gatehouse: ${await statusOf(api, app, grace.email)}`);
}

async function personOf(api: Api, email: string): Promise<Person> {
  const { results } = await api.get<List<Person>>(`/api/users/?email=${encodeURIComponent(email)}`);
  const person = results.find((candidate) => candidate.email === email);
  if (person === undefined) throw new Error(`No person has the email ${email}.`);
  return person;
}

async function groupNamed(api: Api, app: string, name: string): Promise<string> {
  const { results } = await api.get<List<{ id: string; name: string }>>(
    `/api/apps/${app}/resources/?slug=role&limit=200`,
  );
  const group = results.find((candidate) => candidate.name === name);
  if (group === undefined) throw new Error(`The app has no group named ${name}.`);
  return group.id;
}

async function statusOf(api: Api, app: string, email: string): Promise<string> {
  const { results } = await api.get<List<Account>>(
    `/api/accounts/?app=${app}&email=${encodeURIComponent(email)}`,
  );
  return results[0]?.status ?? 'no account';
}

/** Returns a line for each account, task and ticket event since then, oldest first. */
async function eventLines(api: Api, since: string): Promise<string[]> {
  const events: GatehouseEvent[] = [];
  let cursor = '';
  for (;;) {
    const page = await api.get<List<GatehouseEvent> & { next_cursor: string }>(
      `/api/events/?limit=200&${cursor === '' ? `occurred_at__gte=${since}` : `cursor=${cursor}`}`,
    );
    if (page.results.length === 0) break;
    events.push(...page.results);
    cursor = page.next_cursor;
  }
  return events
    .sort((a, b) => (a.ingested_at < b.ingested_at ? -1 : 1))
    .filter(({ event_type }) => !/^(user\.(created|reactivated)|api_key\.)/.test(event_type))
    .map(({ event_type, payload }) => {
      const { email, group_name, action, label, reason } = payload;
      const words = [label, action, email, group_name, reason].filter((word) => word);
      return `${event_type.padEnd(24)} ${words.join(', ')}`;
    });
}
