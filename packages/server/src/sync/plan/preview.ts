import type { RawBuilder } from 'kysely';
import type { App } from '../../apps/apps.ts';
import { previewPublication, selectPlanned } from '../../inventory/publication/preview.ts';
import type { Scope } from '../../inventory/publication/relations.ts';
import type { Tx } from '../../platform/database/open.ts';
import { accessBefore, guarded, startedAt } from '../publish/removal.ts';
import { stagePages } from '../publish/stage.ts';
import type { Held } from '../session.ts';

/**
 * Parses the pages of a session into relations, as its publication does, and compares them with the inventory. Returns
 * the differences, with the columns of `difference`, and the loss that the removal guard would hold.
 */
export async function previewSession(
  tx: Tx,
  scope: Scope,
  app: App,
): Promise<{ held: Held | null; differences: RawBuilder<unknown> }> {
  const staged = await stagePages(tx, scope);
  const { differences, losses } = await previewPublication(tx, scope, staged, startedAt(scope));
  return {
    held: await guarded(tx, scope, app, losses, await accessBefore(tx, scope)),
    differences: selectPlanned(scope, differences),
  };
}
