import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconPlayerPause,
  IconProgress,
} from '@tabler/icons-react';
import type { Item, Query } from '../api/client.ts';
import classes from './status.module.css';

const looks = {
  good: IconCircleCheck,
  bad: IconCircleX,
  warn: IconAlertTriangle,
  busy: IconProgress,
  wait: IconClock,
  held: IconPlayerPause,
  idle: IconCircleDashed,
} as const;

export type Look = keyof typeof looks;

type Shown = readonly [look: Look, word: string];

const APPS = {
  CHECKING_CONFIGURATION: ['wait', 'Awaiting first sync'],
  CONNECTED: ['good', 'Connected'],
  DISCONNECTED: ['bad', 'Disconnected'],
} satisfies Record<Item<'/api/apps/'>['configuration_status'], Shown>;

const ACCOUNTS = {
  NEW: ['wait', 'New'],
  INVITED: ['wait', 'Invited'],
  ACTIVE: ['good', 'Active'],
  SUSPENDED: ['held', 'Suspended'],
  INACTIVE: ['idle', 'Inactive'],
} satisfies Record<NonNullable<Query<'/api/accounts/'>['status']>, Shown>;

const SYNC_SESSIONS = {
  in_progress: ['busy', 'In progress'],
  completing: ['busy', 'Completing'],
  completed: ['good', 'Completed'],
  error: ['bad', 'Failed'],
  abandoned: ['idle', 'Abandoned'],
} satisfies Record<Item<'/api/apps/{app_id}/syncs/'>['status'], Shown>;

const TASKS = {
  scheduled: ['wait', 'Scheduled'],
  pending: ['wait', 'Pending'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
  cancelled: ['idle', 'Canceled'],
  preempted: ['idle', 'Preempted'],
} satisfies Record<NonNullable<Query<'/api/tasks/'>['status']>, Shown>;

const CYCLES = {
  scheduled: ['wait', 'Scheduled'],
  in_progress: ['busy', 'In progress'],
  completed: ['good', 'Completed'],
} satisfies Record<Item<'/api/reviews/cycles/'>['status'], Shown>;

const REQUESTS = {
  PENDING: ['wait', 'Pending'],
  APPROVED: ['good', 'Approved'],
  REJECTED: ['bad', 'Denied'],
  EXPIRED: ['idle', 'Expired'],
  CANCELED: ['idle', 'Canceled'],
} satisfies Record<NonNullable<Query<'/api/tickets/'>['ticket_status']>, Shown>;

const PEOPLE = {
  active: ['good', 'Active'],
  deactivated: ['idle', 'Deactivated'],
} satisfies Record<NonNullable<Query<'/api/users/'>['status']>, Shown>;

const SEVERITIES = {
  critical: ['bad', 'Critical'],
  high: ['bad', 'High'],
  medium: ['warn', 'Medium'],
  low: ['idle', 'Low'],
  info: ['idle', 'Info'],
} satisfies Record<Item<'/api/event-types/'>['severity'], Shown>;

/** All statuses of the API. Unknown ones are shown as they are. */
const known: Record<string, Shown> = {
  ...APPS,
  ...ACCOUNTS,
  ...SYNC_SESSIONS,
  held: ['held', 'Held'],
  ...TASKS,
  ...CYCLES,
  ...REQUESTS,
  ...PEOPLE,
  ...SEVERITIES,
};

interface Props {
  /** A status of the API. */
  of: string;
  /** Replaces the icon. */
  look?: Look;
  /** Replaces the word. */
  word?: string;
}

/** A status as an icon with a word, so that color is never the only sign. */
export function Status({ of, look, word }: Props) {
  const [usual, usualWord] = known[of] ?? ['idle', of];
  const chosen = look ?? usual;
  const Icon = looks[chosen];
  return (
    <span className={classes.status} data-look={chosen}>
      <Icon size={16} stroke={1.8} aria-hidden />
      <span>{word ?? usualWord}</span>
    </span>
  );
}

/** The word for a status, for selects and sentences. */
export const statusWord = (of: string) => known[of]?.[1] ?? of;
