import { databaseTime, type OrgDb } from '#kit/database.ts';
import { type Draft, date } from '#log/notices/draft.ts';
import { administrators, type Handler, type Notices, toAll } from '#log/notices/notices.ts';
import { security } from '#log/notices/security.ts';
import { isNewDevice } from './sessions/device.ts';
import { earlierSignIns } from './sessions/queries/earlier-sign-ins.ts';
import { providersExpiringBefore } from './sso/providers.ts';

const CERTIFICATE_EXPIRES_DAYS = 30;

const DAY_MS = 24 * 3_600_000;

const EARLIER_SIGN_INS = 500;

const signedIn: Handler = async ({ org, event }) => {
  const { ip = null, user_agent = null } = event.actor;
  const userId = event.subject.uuid;
  const earlier = await earlierSignIns(org, userId, event.at, EARLIER_SIGN_INS);
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

const linkRequested: Handler = async ({ event }) => [
  {
    kind: 'sign_in_link',
    key: linkKey(event.id),
    to: toAll([event.subject.uuid]),
    title: 'Your sign-in link',
    body: '',
    path: '/',
  },
];

/** The key of a sign-in link names the event of its request, which has what its email needs. */
const LINK_KEY = 'sign_in_link:';

const linkKey = (eventId: string): string => `${LINK_KEY}${eventId}`;

export const eventOfLink = (key: string): string => key.slice(LINK_KEY.length);

async function expiringCertificates(db: OrgDb): Promise<Draft[]> {
  const time = await databaseTime(db.db);
  const providers = await providersExpiringBefore(
    db,
    new Date(time.getTime() + CERTIFICATE_EXPIRES_DAYS * DAY_MS),
  );
  if (providers.length === 0) return [];
  const to = await administrators(db);
  return providers.map(({ id, name, expires_at }) => ({
    kind: 'certificate_expires',
    key: certificateExpiryKey(id, expires_at),
    to,
    title: `The certificate of the sign-in provider ${name} ${expires_at > time ? 'expires soon' : 'has expired'}`,
    body: `The last one ${expires_at > time ? 'expires' : 'expired'} on ${date(expires_at)}. Ask for the next certificate of the provider, and let an owner add it before the provider signs with it.`,
    path: `/settings/identity-provider?provider=${id}`,
    about: { type: 'organization', id: null },
    appId: null,
  }));
}

const certificateExpiryKey = (providerId: string, expiresAt: Date): string =>
  `certificate-expires:${providerId}:${expiresAt.toISOString()}`;

const FAR = new Date(8.64e15);

export const signInNotices: Notices = {
  handlers: {
    'password.changed': security('password_changed', () => ({
      title: 'Your password was changed',
      body: 'Your password was changed on',
    })),
    'factor.removed': security('factor_removed', ({ event }) => ({
      title: `${event.payload.kind === 'totp' ? 'Your second factor' : 'A passkey of yours'} was removed`,
      body: `It was removed${event.payload.by_administrator === true ? ' by an administrator' : ''} on`,
    })),
    'provider_link.removed': security('factor_removed', ({ event, text }) => ({
      title: `Your account at ${text('name')} was unlinked`,
      body: `It was unlinked${event.payload.by_administrator === true ? ' by an administrator' : ''} on`,
    })),
    'session.login.succeeded': signedIn,
    'password.link_requested': linkRequested,
  },
  *due() {
    yield expiringCertificates;
  },
  keys: {
    certificate_expires: async (db) =>
      (await providersExpiringBefore(db, FAR)).map(({ id, expires_at }) =>
        certificateExpiryKey(id, expires_at),
      ),
  },
};
