import { resource } from '#kit/http.ts';
import { requireAccessibleTask } from '../list.ts';
import { TaskItem, taskItem } from './schemas.ts';

export const reading = { access: { scope: 'read', apps: 'listed' } } as const;

/** Protocol 4.15 and 12. */
export const tasks = resource({
  path: '/api/tasks/',
  tag: 'Tasks',
  reading,
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
  id: 'task_id',
  find: requireAccessibleTask,
  schema: TaskItem,
  view: taskItem,
});
