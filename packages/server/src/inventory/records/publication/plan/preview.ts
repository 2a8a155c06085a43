import type { App } from '#inventory/apps/app.ts';
import type { Held } from '#inventory/apps/held.ts';
import type { OrgTx } from '#kit/database.ts';
import type { RawBuilder } from '#kit/sql.ts';
import { previewPublication } from '../preview.ts';
import { startedAt } from '../queries/plan.ts';
import { selectPlanned } from '../queries/preview.ts';
import type { Scope } from '../relations.ts';
import { stagePages } from '../stage.ts';
import { accessBefore, heldOf } from '../stale.ts';

/**
 * Parses the pages of a session into relations, as its publication does, and compares them with the inventory. Returns
 * the differences, with the columns of `difference`, and the loss that the removal guard would hold.
 */
export async function previewSession(
  tx: OrgTx,
  scope: Scope,
  app: App,
): Promise<{ held: Held | null; differences: RawBuilder<unknown> }> {
  const staged = await stagePages(tx, scope);
  const { differences, losses } = await previewPublication(tx, scope, staged, startedAt(scope));
  return {
    held: await heldOf(tx, scope, app, losses, { ...(await accessBefore(tx, scope)), ...staged }),
    differences: selectPlanned(scope, differences),
  };
}
