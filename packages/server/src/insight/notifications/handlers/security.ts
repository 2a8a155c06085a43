import { within } from '../../../kit/database/organization.ts';
import { isNewDevice } from '../device.ts';
import { date } from '../draft.ts';
import * as facts from '../queries/lookups.ts';
import { linkKey, toAll } from '../recipients.ts';
import type { Context, Handler } from './handler.ts';

/** A notice to the person whom the event is about. */
export const security =
  (
    kind: 'key_created' | 'password_changed' | 'factor_removed',
    describe: (context: Context) => { title: string; body: string; to?: string },
  ): Handler =>
  async (context) => {
    const { event } = context;
    // Nobody is told about the keys of an organization that is just being made.
    if (event.actor.type === 'system' && kind === 'key_created') return [];
    const { title, body, to = event.subject.uuid } = describe(context);
    const otherwise = 'If you did not do this, tell an administrator immediately.';
    return [
      {
        kind,
        key: `${kind}:${event.id}`,
        to: toAll([to]),
        title,
        body: `${body} ${date(event.at)}. ${otherwise}`,
        path: kind === 'key_created' ? `/people/${to}` : '/settings/profile',
      },
    ];
  };

const EARLIER_SIGN_INS = 500;

export const signedIn: Handler = async ({ db, orgId, event }) => {
  const { ip = null, user_agent = null } = event.actor;
  const userId = event.subject.uuid;
  const earlier = await facts.earlierSignIns(within(db, orgId), userId, event.at, EARLIER_SIGN_INS);
  if (!isNewDevice({ ip, user_agent }, earlier)) return [];
  return [
    {
      kind: 'new_device',
      key: `new_device:${event.id}`,
      to: toAll([userId]),
      title: 'A sign-in from a new device or network',
      body: [
        `Time: ${date(event.at)}`,
        ...(ip === null ? [] : [`Address: ${ip}`]),
        ...(user_agent === null ? [] : [`Browser: ${user_agent}`]),
        'If that was not you, change your password and end your other sessions.',
      ].join('\n'),
      path: '/settings/profile',
    },
  ];
};

export const linkRequested: Handler = async ({ event }) => [
  {
    kind: 'sign_in_link',
    key: linkKey(event.id),
    to: toAll([event.subject.uuid]),
    title: 'Your sign-in link',
    body: '',
    path: '/',
  },
];
