import { type DomainError, refusals } from '../errors.ts';
import { sentences } from '../sentences.ts';

export const callerRefusals = refusals({
  unauthenticated: { bad_key: 'Missing or invalid API key.' },
  forbidden: {
    role_forbids: 'The role {role} does not allow this.',
    keys_cannot: 'API keys cannot do this. Sign in to the console instead.',
    scope_missing: 'This key does not have the scope {scope}.',
    role_required: 'This requires the role {roles}.',
    owner_required: 'This requires the role owner. Ask an owner of your organization.',
    transferred_key:
      'This key was transferred from another person, so it cannot make requests or decisions, or create keys. Sign in, or use a key that you created.',
    own_record_only: 'A member can read only their own record.',
  },
});

export const accessSentences = sentences({ either: '{one} or {other}' });

/** Operations that require a key for all apps. Each has a sentence of its own. */
const FOR_ALL_APPS = [
  'this operation',
  'reading events',
  'webhooks',
  'changing removal_guard',
  'searching the organization',
  'releasing people',
  'changing people',
  'deleting people',
  'importing people',
  'dismissing duplicates',
  'restoring duplicates',
  'changing absences',
  'merging people',
  'offboarding people',
  'the sample company',
  'policies',
  'access reviews',
  'holds',
  'saved queries',
] as const;
export type ForAllApps = (typeof FOR_ALL_APPS)[number];

const codeOf = (what: ForAllApps) => `key_limited_${what.replaceAll(' ', '_')}`;
const limited: Record<string, () => DomainError> = refusals({
  forbidden: Object.fromEntries(
    FOR_ALL_APPS.map((what) => [
      codeOf(what),
      `This key is limited to listed apps: ${what} requires a key for all apps.`,
    ]),
  ),
});
/** The refusal of a key that is limited to listed apps. */
export const keyLimited = (what: ForAllApps) => limited[codeOf(what)]?.() as DomainError;

const OTHER_PROOF =
  'Confirm with a password, a one-time code or a passkey. If you have none of them, ask an administrator for a sign-in link, or to change the settings of the provider (docs/guides/sign-in.md, "Fresh sign-in").';

/** Why a person must confirm who they are. */
export const proofSentences = sentences({
  sign_in_old: 'You signed in more than {minutes} minutes ago. Confirm that it is you, then try again.',
  sign_in_time_unknown: `Your sign-in provider does not say when you signed in there, so it does not show that you did within the last {minutes} minutes. ${OTHER_PROOF}`,
  sign_in_not_asked_again: `Your sign-in provider did not ask you to sign in again, although Gatehouse requested it. You signed in there more than {minutes} minutes ago. ${OTHER_PROOF}`,
});
