import { accessRefusals } from '#directory/access/sentences.ts';
import { type OrgDb, transaction } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import { isTimeZone } from '#kit/time-zones.ts';
import { isKind, KIND_NAMES, type KindName, kindOf, type Setting } from '#log/notices/kinds.ts';
import * as queries from './queries/preferences.ts';
import type { Choices, Preferences } from './schemas.ts';
import { notificationRefusals } from './sentences.ts';

type PreferencesView = Omit<Preferences, 'email_enabled'>;

export type PreferenceChange = Partial<Omit<Choices, 'kinds'>> & { kinds?: Record<string, unknown> };

export const DEFAULTS: Choices = {
  time_zone: null,
  language: null,
  quiet_from: null,
  quiet_to: null,
  digest_hour: 8,
  kinds: {},
};

/** Returns how a person gets a kind by email. */
export const settingOf = ({ kinds }: Choices, kind: KindName): Setting =>
  kindOf(kind).security === true ? 'immediately' : (kinds[kind] ?? kindOf(kind).default);

/** Returns the choices of a person, or the defaults. */
export const choicesOf = async (db: OrgDb, userId: string): Promise<Choices> =>
  (await queries.findPreferences(db, [userId])).get(userId) ?? DEFAULTS;

export const preferencesOf = async (call: Call): Promise<PreferencesView> =>
  viewOf(await choicesOf(call, call.principal.userId));

/** Changes the caller's own preferences. Throws 400 for an unknown time zone or language, or for a security kind. */
export async function changePreferences(
  call: Call,
  { kinds, ...change }: PreferenceChange,
): Promise<PreferencesView> {
  return transaction(call, async (tx) => {
    await queries.insertPreferences(tx, call.principal.userId);
    const before = await queries.lockPreferences(tx, call.principal.userId);
    const after = { ...before, ...change, kinds: { ...before.kinds, ...changedKinds(kinds ?? {}) } };
    requireValid(after);
    await queries.updatePreferences(tx, call.principal.userId, {
      ...after,
      language: after.language === null ? null : (Intl.getCanonicalLocales(after.language)[0] as string),
    });
    return viewOf(await choicesOf(tx, call.principal.userId));
  });
}

function changedKinds(kinds: Record<string, unknown>): Choices['kinds'] {
  const unknown = Object.keys(kinds).find((name) => !isKind(name));
  if (unknown !== undefined) throw notificationRefusals.notification_kind_unknown({ unknown });
  for (const [name, setting] of Object.entries(kinds)) {
    if (kindOf(name as KindName).security === true && setting !== 'immediately')
      throw notificationRefusals.security_notice_always_sent({ name });
  }
  return kinds as Choices['kinds'];
}

function requireValid({ time_zone, language, quiet_from, quiet_to }: Choices) {
  if (time_zone !== null && !isTimeZone(time_zone))
    throw accessRefusals.time_zone_unknown({ name: time_zone });
  if (language !== null && !isLanguage(language)) throw notificationRefusals.language_unknown({ language });
  if ((quiet_from === null) !== (quiet_to === null)) throw notificationRefusals.quiet_hours_half();
  if (quiet_from !== null && quiet_from === quiet_to) throw notificationRefusals.quiet_hours_empty();
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const viewOf = (preferences: Choices): PreferencesView => ({
  ...preferences,
  kinds: KIND_NAMES.map((kind) => ({
    kind,
    title: kindOf(kind).title,
    setting: settingOf(preferences, kind),
    security: kindOf(kind).security === true,
  })),
});
