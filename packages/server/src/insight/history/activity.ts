import { requireKnownPerson } from '#inventory/records/accounts/as-of.ts';
import { subjectsOfPerson } from '#inventory/records/history/link-facts.ts';
import { timesOf } from '#inventory/records/history/moment.ts';
import type { Call } from '#kit/identity.ts';
import { EVENT_TYPES } from '#log/events/catalog.ts';
import { eventsAround } from '#log/events/facts.ts';

/** The kinds of activity, with the first words of their types of events. */
const WORDS = {
  access: ['account', 'account_link', 'account_owner', 'account_correlation', 'restore'],
  decisions: [
    ...[
      'ticket',
      'request',
      'review',
      'campaign',
      'task',
      'fulfillment',
      'policy',
      'finding',
      'second_person',
    ],
    ...['removal_guard', 'removal_budget'],
  ],
  profile: ['user', 'role', 'person', 'person_group', 'people', 'absence'],
  sign_in: ['session', 'warp', 'password', 'factor', 'provider_link', 'api_key', 'key', 'privileged_call'],
};
export type Activity = keyof typeof WORDS;
export const ACTIVITIES = Object.keys(WORDS) as Activity[];

const typesOf = (kind: Activity) =>
  EVENT_TYPES.filter((type) => WORDS[kind].includes(type.slice(0, type.indexOf('.'))));

/** Returns the newest events about a person and their accounts, and of what they did, as JSON text. */
export async function activityOf(
  call: Call,
  userId: string,
  { kind, cursor }: { kind?: Activity; cursor?: string },
  limit: number,
): Promise<{ results: string; next: string | null }> {
  await requireKnownPerson(call, userId);
  const { cursor: before } = await timesOf(call.db, { cursor });
  const around = {
    subjects: subjectsOfPerson(call, userId),
    actor: userId,
    types: kind === undefined ? null : typesOf(kind),
    before: before ?? null,
  };
  const events = await eventsAround(call, around, limit + 1);
  const shown = events.slice(0, limit);
  return {
    results: shown.map(({ body }) => body).join(','),
    next: events.length > limit ? (shown.at(-1)?.place ?? null) : null,
  };
}
