import { plural, t } from '@lingui/core/macro';
import { type Answer, api, ok } from '../api/client.ts';
import { listed } from '../kit/text/listed.ts';

export type CreatedTask = Pick<Answer<'/api/tasks/{task_id}/'>, 'external_uuid' | 'status' | 'app'>;

/** Returns a sentence about what happens with a task that was just created. */
export async function taskCreated(task: CreatedTask): Promise<string> {
  if (task.status !== 'pending') return t`Task created. It waits for an earlier task for this account.`;
  return tasksCreated([task]);
}

/** Returns a sentence about the number of created tasks, and who carries them out. */
export async function tasksCreated(tasks: readonly CreatedTask[]): Promise<string> {
  const apps = new Map(tasks.map(({ app }) => [app.external_uuid, app.name]));
  const carriers = new Map<string, string | null>();
  for (const id of apps.keys()) {
    const { tasks_carried_out_by = null } = await ok(
      api.GET('/api/apps/{app_id}/', { params: { path: { app_id: id } } }),
    );
    carriers.set(id, tasks_carried_out_by);
  }
  const byPeople = tasks.filter(({ app }) => carriers.get(app.external_uuid) === 'people');
  const unattended = [...apps].filter(([id]) => carriers.get(id) === 'nobody').map(([, name]) => name);
  const people = await assigneesOf(byPeople);
  const sentences = [firstSentence(tasks.length, byPeople.length, people)];
  if (unattended.length > 0)
    sentences.push(
      t`Nobody carries out the tasks of ${{ apps: listed(unattended) }}. Set up manual fulfillment there, or connect a connector.`,
    );
  return sentences.join(' ');
}

function firstSentence(count: number, assigned: number, people: readonly string[]): string {
  const names = listed(people);
  if (names === '') return plural(count, { one: '# task created.', other: '# tasks created.' });
  if (assigned === count)
    return plural(count, {
      one: `# task created, assigned to ${names}.`,
      other: `# tasks created, assigned to ${names}.`,
    });
  return plural(count, {
    one: `# task created, ${assigned} of them assigned to ${names}.`,
    other: `# tasks created, ${assigned} of them assigned to ${names}.`,
  });
}

const PAUSES_MS = [100, 200, 400, 800, 1600];
const MOST = 200;

/** Returns the emails of the people to whom the tasks were assigned, which happens a moment after their creation. */
async function assigneesOf(tasks: readonly CreatedTask[]): Promise<string[]> {
  const people = new Set<string>();
  for (const app of new Set(tasks.map((task) => task.app.external_uuid))) {
    const wanted = new Set(
      tasks.filter((task) => task.app.external_uuid === app).map(({ external_uuid }) => external_uuid),
    );
    for (const pause of PAUSES_MS) {
      const { results } = await ok(
        api.GET('/api/fulfillment/tasks/', { params: { query: { app, limit: MOST } } }),
      );
      const found = results.filter(({ task }) => wanted.has(task.external_uuid));
      for (const { assignee } of found) if (assignee !== null) people.add(assignee.email);
      if (found.length >= Math.min(wanted.size, MOST)) break;
      await new Promise((wake) => setTimeout(wake, pause));
    }
  }
  return [...people].sort();
}
