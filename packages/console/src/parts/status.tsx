import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconPlayerPause,
  IconProgress,
} from '@tabler/icons-react';
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

/** The icon and word for each status of the API. Unknown ones are shown as they are. */
const known: Record<string, [Look, string]> = {
  // apps
  CHECKING_CONFIGURATION: ['wait', 'Awaiting first sync'],
  CONNECTED: ['good', 'Connected'],
  DISCONNECTED: ['bad', 'Disconnected'],
  // accounts
  NEW: ['wait', 'New'],
  INVITED: ['wait', 'Invited'],
  ACTIVE: ['good', 'Active'],
  SUSPENDED: ['held', 'Suspended'],
  INACTIVE: ['idle', 'Inactive'],
  // sync sessions, tasks, cycles
  in_progress: ['busy', 'In progress'],
  completing: ['busy', 'Completing'],
  held: ['held', 'Held'],
  completed: ['good', 'Completed'],
  error: ['bad', 'Failed'],
  abandoned: ['idle', 'Abandoned'],
  pending: ['wait', 'Pending'],
  scheduled: ['wait', 'Scheduled'],
  failed: ['bad', 'Failed'],
  cancelled: ['idle', 'Canceled'],
  preempted: ['idle', 'Preempted'],
  // tickets
  PENDING: ['wait', 'Pending'],
  APPROVED: ['good', 'Approved'],
  REJECTED: ['bad', 'Denied'],
  EXPIRED: ['idle', 'Expired'],
  CANCELED: ['idle', 'Canceled'],
  // people
  active: ['good', 'Active'],
  deactivated: ['idle', 'Deactivated'],
  // severities
  critical: ['bad', 'Critical'],
  high: ['bad', 'High'],
  medium: ['warn', 'Medium'],
  low: ['idle', 'Low'],
  info: ['idle', 'Info'],
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
