import type { PublishedHook } from '#inventory/records/sessions/session.ts';
import { endVanished } from '#work/provisioning/vanished.ts';
import { isFulfilledByPeople } from './facts.ts';

/**
 * A published hook: ends the tasks of people whose account or access a sync no longer shows. A connector asks the system itself, and
 * reports what it finds.
 */
export const endVanishedTasks: PublishedHook = async (tx, appId, cause) =>
  (await isFulfilledByPeople(tx, appId)) ? endVanished(tx, appId, cause) : [];
