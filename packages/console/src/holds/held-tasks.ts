import { type Answer, get } from '../api/client.ts';
import { serverText } from '../language/server-text.ts';

/** The most held tasks that are read. */
const LIMIT = 100;

/** The tasks of an app that wait for a confirmation. */
export const heldTasks = (app_id: string) =>
  get('/api/apps/{app_id}/held-tasks/', { path: { app_id }, query: { limit: LIMIT } });

/** Returns why the tasks wait: a sentence for each reason (D46, D76). */
export function heldReasons({ results }: Answer<'/api/apps/{app_id}/held-tasks/'>): string[] {
  const reasons = results.flatMap(({ explanation }) =>
    explanation === null ? [] : serverText({ ...explanation, text: explanation.happened }),
  );
  return [...new Set(reasons)];
}
