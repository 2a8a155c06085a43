import { t } from '@lingui/core/macro';
import type { Item, Query } from '../../api/client.ts';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBeach,
  IconCalendarClock,
  IconChevronDown,
  IconChevronsUp,
  IconChevronUp,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconHandStop,
  IconHourglassOff,
  IconInfoCircle,
  IconMail,
  IconPlayerPause,
  IconPlayerStop,
  IconPlugConnected,
  IconPlugConnectedX,
  IconProgress,
  IconProgressCheck,
  IconReplace,
  IconShieldCheck,
  IconSparkles,
  IconThumbDown,
  IconThumbUp,
  IconUrgent,
  IconUserCheck,
  IconUserOff,
  IconUsers,
  IconUserX,
} from '../icons/icons.ts';
import classes from './status.module.css';

/**
 * One icon and color for each meaning: no two statuses look the same, and each icon has its word. States that are as they should be, under way or over are
 * gray, so that colors mean something: red is danger, yellow asks for attention, and green is a good decision or what is proven.
 */
export const looks = {
  good: [IconCircleCheck, 'idle'],
  proven: [IconShieldCheck, 'good'],
  bad: [IconCircleX, 'bad'],
  warn: [IconAlertTriangle, 'warn'],
  busy: [IconProgress, 'idle'],
  wait: [IconClock, 'idle'],
  held: [IconHandStop, 'warn'],
  idle: [IconCircleDashed, 'idle'],
  people: [IconUsers, 'idle'],
  connected: [IconPlugConnected, 'idle'],
  disconnected: [IconPlugConnectedX, 'bad'],
  active: [IconUserCheck, 'idle'],
  inactive: [IconUserOff, 'idle'],
  deactivated: [IconUserX, 'idle'],
  suspended: [IconPlayerPause, 'warn'],
  fresh: [IconSparkles, 'idle'],
  invited: [IconMail, 'idle'],
  finishing: [IconProgressCheck, 'idle'],
  abandoned: [IconPlayerStop, 'idle'],
  planned: [IconCalendarClock, 'idle'],
  away: [IconBeach, 'idle'],
  canceled: [IconCircleMinus, 'idle'],
  withdrawn: [IconArrowBackUp, 'idle'],
  replaced: [IconReplace, 'idle'],
  approved: [IconThumbUp, 'good'],
  denied: [IconThumbDown, 'bad'],
  expired: [IconHourglassOff, 'idle'],
  critical: [IconUrgent, 'bad'],
  high: [IconChevronsUp, 'bad'],
  medium: [IconChevronUp, 'warn'],
  low: [IconChevronDown, 'idle'],
  info: [IconInfoCircle, 'idle'],
} as const;

export type Look = keyof typeof looks;

type Shown = readonly [look: Look, word: string];

const APPS = {
  CHECKING_CONFIGURATION: ['idle', t`Awaiting first sync`],
  CONNECTED: ['connected', t`Connected`],
  DISCONNECTED: ['disconnected', t`Disconnected`],
} satisfies Record<Item<'/api/apps/'>['configuration_status'], Shown>;

const ACCOUNTS = {
  NEW: ['fresh', t`New`],
  INVITED: ['invited', t`Invited`],
  ACTIVE: ['active', t`Active`],
  SUSPENDED: ['suspended', t`Suspended`],
  INACTIVE: ['inactive', t`Inactive`],
} satisfies Record<NonNullable<Query<'/api/accounts/'>['status']>, Shown>;

const SYNC_SESSIONS = {
  in_progress: ['busy', t`In progress`],
  completing: ['finishing', t`Completing`],
  completed: ['good', t`Completed`],
  error: ['bad', t`Failed`],
  abandoned: ['abandoned', t`Abandoned`],
} satisfies Record<Item<'/api/apps/{app_id}/syncs/'>['status'], Shown>;

const TASKS = {
  scheduled: ['planned', t`Scheduled`],
  pending: ['wait', t`Pending`],
  completed: ['good', t`Completed`],
  failed: ['bad', t`Failed`],
  cancelled: ['canceled', t`Canceled`],
  preempted: ['replaced', t`Replaced`],
} satisfies Record<NonNullable<Query<'/api/tasks/'>['status']>, Shown>;

const CYCLES = {
  scheduled: ['planned', t`Scheduled`],
  in_progress: ['busy', t`In progress`],
  completed: ['good', t`Completed`],
} satisfies Record<Item<'/api/reviews/cycles/'>['status'], Shown>;

const REQUESTS = {
  PENDING: ['wait', t`Pending`],
  APPROVED: ['approved', t`Approved`],
  REJECTED: ['denied', t`Denied`],
  EXPIRED: ['expired', t`Expired`],
  CANCELED: ['withdrawn', t`Withdrawn`],
} satisfies Record<NonNullable<Query<'/api/tickets/'>['ticket_status']>, Shown>;

const PEOPLE = {
  active: ['active', t`Active`],
  deactivated: ['deactivated', t`Deactivated`],
} satisfies Record<NonNullable<Query<'/api/users/'>['status']>, Shown>;

const ON_LEAVE: Shown = ['away', t`On leave`];

const SEVERITIES = {
  critical: ['critical', t`Critical`],
  high: ['high', t`High`],
  medium: ['medium', t`Medium`],
  low: ['low', t`Low`],
  info: ['info', t`Info`],
} satisfies Record<Item<'/api/event-types/'>['severity'], Shown>;

/** All statuses of the API. Unknown ones are shown as they are. */
export const known: Record<string, Shown> = {
  ...APPS,
  ...ACCOUNTS,
  ...SYNC_SESSIONS,
  held: ['held', t`Held`],
  ...TASKS,
  ...CYCLES,
  ...REQUESTS,
  ...PEOPLE,
  on_leave: ON_LEAVE,
  leaver: ['warn', t`Leaver`],
  ...SEVERITIES,
};

/** Statuses of holds, uploads, findings and what is gone, which have no icon of their own. Those that are missing have the words of others. */
const WORDS: Record<string, string> = {
  open: t`Open`,
  confirmed: t`Confirmed`,
  discarded: t`Discarded`,
  uploaded: t`Uploaded`,
  checking: t`Being checked`,
  invalid: t`Invalid`,
  planned: t`Planned`,
  applied: t`Applied`,
  accepted: t`Accepted`,
  resolved: t`Resolved`,
  archived: t`Archived`,
  deleted: t`Deleted`,
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
  const chosen = look ?? known[of]?.[0] ?? 'idle';
  const [Icon, color] = looks[chosen];
  return (
    <span className={classes.status} data-look={color}>
      <Icon size={16} stroke={1.8} aria-hidden />
      <span>{word ?? statusWord(of)}</span>
    </span>
  );
}

/** The word for a status, for selects and sentences. */
export const statusWord = (of: string) => known[of]?.[1] ?? WORDS[of] ?? of;
