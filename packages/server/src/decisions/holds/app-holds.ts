import type { AppHoldHook } from '#work/provisioning/app-holds.ts';
import * as queries from './queries/app-holds.ts';

/** Keeps a hold for the tasks of an app that exceed its budget, from the first of them until the last is decided. */
export const keepAppHolds: AppHoldHook = {
  begin: queries.beginAppHold,
  decide: queries.decideAppHold,
};
