import { type Static, Type } from 'typebox';

/** The states of a sync session (protocol 4). */
export const SyncStatus = Type.Enum(['in_progress', 'completing', 'completed', 'error', 'abandoned'], {
  title: 'SyncStatus',
});
export type SyncStatus = Static<typeof SyncStatus>;
