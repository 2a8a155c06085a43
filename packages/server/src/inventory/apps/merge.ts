import type { MergeHook } from '#directory/people/merge.ts';
import type { OrgTx } from '#kit/database.ts';
import type { RequestCause } from '#kit/identity.ts';
import { changedFields } from '#log/events/changes.ts';
import type { NewEvent } from '#log/events/record.ts';
import { SETTINGS, settingsChanged } from './admin.ts';
import type { AdminApp, ApprovalStep } from './app.ts';
import { lockAppsNaming } from './facts.ts';
import * as queries from './queries/admin.ts';

/** The apps that a merged person owns or approves move to the person who remains. */
export const moveAppsOfMerged: MergeHook = {
  lock: lockAppsNaming,
  async move(tx, { from, into, cause }) {
    const { moved, events } = await replaceInApps(tx, cause, from.id, into.id);
    return { moved: { apps: moved }, events };
  },
};

/**
 * Names another person in the place of one who owns apps or approves requests for them. `isSame`: both are one person. Otherwise, a step that
 * requires all of its approvers keeps both, since it would ask one person fewer. The caller holds lockAppsNaming, and records the events.
 */
export async function replaceInApps(
  tx: OrgTx,
  cause: RequestCause,
  fromId: string,
  toId: string | null,
  isSame = true,
): Promise<{ found: number; moved: number; events: NewEvent[] }> {
  const apps = await queries.appsNaming(tx, fromId);
  if (toId === null) return { found: apps.length, moved: 0, events: [] };
  const renamed = (id: string) => (id === fromId ? toId : id);
  const listed = (ids: string[]) => [...new Set(ids.map(renamed))];
  const events: NewEvent[] = [];
  for (const before of apps) {
    const after: AdminApp = {
      ...before,
      owner: before.owner && renamed(before.owner),
      approval_steps: before.approval_steps.map((step) =>
        typeof step.approvers === 'string' || (!isSame && losesSeat(step, toId))
          ? step
          : { ...step, approvers: listed(step.approvers) },
      ),
      fallback_approvers: before.fallback_approvers && listed(before.fallback_approvers),
    };
    await queries.setSettings(tx, before.id, after);
    events.push(...settingsChanged(after, cause, changedFields(before, after, SETTINGS)));
  }
  return { found: apps.length, moved: events.length, events };
}

/** Whether a step that requires all of its approvers already names a person who would take another place in it. */
export const losesSeat = ({ require, approvers }: ApprovalStep, toId: string): boolean =>
  require === 'all' && approvers.includes(toId);
