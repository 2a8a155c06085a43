import type { MergeHook } from '#directory/people/merge.ts';
import { changedFields } from '#log/events/changes.ts';
import type { NewEvent } from '#log/events/record.ts';
import { SETTINGS, settingsChanged } from './admin.ts';
import type { AdminApp } from './app.ts';
import { lockAppsNaming } from './facts.ts';
import * as queries from './queries/admin.ts';

/** The apps that a merged person owns or approves move to the person who remains. */
export const moveAppsOfMerged: MergeHook = {
  lock: lockAppsNaming,
  async move(tx, { from, into, cause }) {
    const renamed = (id: string) => (id === from.id ? into.id : id);
    const listed = (ids: string[]) => [...new Set(ids.map(renamed))];
    const apps = await queries.appsNaming(tx, from.id);
    const events: NewEvent[] = [];
    for (const before of apps) {
      const after: AdminApp = {
        ...before,
        owner: before.owner && renamed(before.owner),
        approval_steps: before.approval_steps.map((step) =>
          typeof step.approvers === 'string' ? step : { ...step, approvers: listed(step.approvers) },
        ),
        fallback_approvers: before.fallback_approvers && listed(before.fallback_approvers),
      };
      await queries.setSettings(tx, before.id, after);
      events.push(...settingsChanged(after, cause, changedFields(before, after, SETTINGS)));
    }
    return { moved: { apps: apps.length }, events };
  },
};
