import type { Static } from 'typebox';
import type { PersonReference } from '#directory/people/reference.ts';
import type { Definition } from './definition.ts';
import type { Times } from './schedule.ts';
import type { StopReason } from './schemas.ts';

type Person = Static<typeof PersonReference>;

/** The fields of a saved query that people change. */
export interface Settings {
  name: string;
  query: Definition;
  shared: boolean;
  schedule: (Times & { recipients: string[] }) | null;
}

export interface SavedQuery extends Settings {
  id: string;
  owner: Person;
  recipients: Person[];
  next_run_at: Date | null;
  last_run_at: Date | null;
  last_count: number | null;
  stopped: StopReason | null;
  /** Whether its schedule was stopped, or its owner is not active. */
  is_abandoned: boolean;
  created_at: Date;
  updated_at: Date;
}
