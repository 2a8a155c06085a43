import { DomainError } from '#kit/errors.ts';
import { connectorRefusals } from './sentences.ts';
import type { ConnectorType, Described, SettingsSchema } from './types.ts';

const LONGEST = 20_000;

export type SettingValue = string | number | boolean;
export type Settings = Record<string, SettingValue>;

/** The settings and secrets that a caller sets, by name. Null removes one. */
export interface Given {
  settings?: Record<string, SettingValue | null>;
  secrets?: Record<string, string | null>;
}

export const schemaOf = (type: ConnectorType, described: Described | null): SettingsSchema =>
  (described ?? type).settings;

/** Returns the settings after a change. Throws 400 for an unknown name and for a value of the wrong type. */
export function changedSettings(
  schema: SettingsSchema,
  before: Settings,
  given: Given['settings'] = {},
): Settings {
  const after: Settings = Object.fromEntries(
    Object.entries(before).filter(([name]) => schema.properties[name] !== undefined),
  );
  for (const [name, value] of Object.entries(given)) {
    const setting = requireKnown(schema, name);
    if (setting.writeOnly)
      throw invalidAt([`settings.${name}`], `The setting ${name} is a secret. Send it in secrets.`);
    if (value === null || value === '') {
      delete after[name];
      continue;
    }
    const kind = setting.type;
    if (typeof value !== kind)
      throw invalidAt([`settings.${name}`], `The setting ${name} must be a ${kind}.`);
    if (typeof value === 'string') {
      requireText('settings', name, value);
      if (URL.canParse(value) && new URL(value).password !== '')
        throw invalidAt(
          [`settings.${name}`],
          `The setting ${name} has a password in its address, where events and auditors would see it. Remove it, and send it in a secret.`,
        );
    }
    after[name] = value;
  }
  return after;
}

/** Throws 400 for an unknown name, a setting that is not secret, and an empty value. */
export function requireSecrets(schema: SettingsSchema, given: Given['secrets'] = {}): void {
  for (const [name, value] of Object.entries(given)) {
    if (!requireKnown(schema, name).writeOnly)
      throw invalidAt([`secrets.${name}`], `The setting ${name} is not a secret. Send it in settings.`);
    if (value === '')
      throw invalidAt(
        [`secrets.${name}`],
        `The secret ${name} is empty. Send a value, or null to remove it.`,
      );
    if (value !== null) requireText('secrets', name, value);
  }
}

/** Throws 400 unless every required setting has a value. */
export function requireComplete(
  schema: SettingsSchema,
  settings: Settings,
  secrets: readonly string[],
): void {
  const missing = schema.required.filter((name) => !(name in settings) && !secrets.includes(name));
  if (missing.length === 0) return;
  const paths = missing.map(
    (name) => `${schema.properties[name]?.writeOnly ? 'secrets' : 'settings'}.${name}`,
  );
  throw invalidAt(paths, `Set a value for ${missing.join(', ')}.`);
}

/** An error at fields of the request, so that a form shows it there. */
export const invalidAt = (paths: readonly string[], detail: string) =>
  new DomainError('invalid', detail, {
    issues: paths.map((path) => ({ path, code: 'bad_setting' as const, message: detail })),
  });

function requireKnown(schema: SettingsSchema, name: string) {
  const setting = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  if (setting !== undefined) return setting;
  const known = Object.keys(schema.properties).join(', ') || 'none';
  throw connectorRefusals.setting_unknown({ name: name.slice(0, 100), known });
}

function requireText(field: 'settings' | 'secrets', name: string, value: string) {
  if (value.length > LONGEST || value.includes('\0'))
    throw invalidAt(
      [`${field}.${name}`],
      `The setting ${name} must have at most ${LONGEST} characters, none of them NUL.`,
    );
}
