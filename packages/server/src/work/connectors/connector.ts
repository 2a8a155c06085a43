import type { Schedule } from './schedule.ts';
import type { Settings } from './settings.ts';
import type { Described } from './types.ts';

/** The connector that the server runs for an app. */
export interface Connector {
  app_id: string;
  type: string;
  definition: string | null;
  /** The settings that are not secret. */
  settings: Settings;
  described: Described | null;
  schedule: Schedule | null;
  paused: boolean;
  carries_out_tasks: boolean;
  /** The person for whom runs act. */
  acts_for: string;
  next_sync_at: Date | null;
  scheduled_since: Date | null;
  last_success_at: Date | null;
  created_at: Date;
  changed_at: Date;
}

/** A connector in the list of all apps. */
export interface ConnectorState
  extends Pick<
    Connector,
    'app_id' | 'type' | 'schedule' | 'paused' | 'next_sync_at' | 'scheduled_since' | 'last_success_at'
  > {
  /** How the newest sync that has ended did. Null: none has. */
  last_sync_state: State | null;
  last_sync_error: string | null;
}

export interface SecretView {
  name: string;
  set_at: Date;
}

export const KINDS = ['sync', 'tasks', 'test', 'preview'] as const;
export type Kind = (typeof KINDS)[number];
export const STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'timed_out', 'lost'] as const;
export type State = (typeof STATES)[number];

/** The causes of a failure that an administrator can correct. */
export const PROBLEMS = ['credentials_refused', 'unreachable'] as const;
export type Problem = (typeof PROBLEMS)[number];

/** A run of a connector: a sync, a batch of tasks, a test or a preview. */
export interface Run {
  id: string;
  app_id: string;
  kind: Kind;
  state: State;
  /** Null: the schedule or pending tasks started it. */
  requested_by: string | null;
  cancel_requested_at: Date | null;
  queued_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  counts: object | null;
  error: string | null;
  /** The kind of the error. Null: any other. */
  problem: Problem | null;
  /** Whether the guard of the connector is off: a person has accepted the removals. */
  accepts_removals: boolean;
  /** Whether a sync ended because it would have removed too much. */
  stopped_by_guard: boolean;
}

export interface RunWithLog extends Run {
  log: string | null;
  result: object | null;
}
