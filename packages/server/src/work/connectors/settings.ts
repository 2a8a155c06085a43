import { DomainError } from '#kit/errors.ts';
import { problem } from '#kit/issues.ts';
import type { Sentence } from '#kit/sentences.ts';
import { connectorRefusals, settingSentences } from './sentences.ts';
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
      throw invalidAt([`settings.${name}`], settingSentences.setting_is_secret({ name }));
    if (value === null || value === '') {
      delete after[name];
      continue;
    }
    const kind = setting.type;
    if (typeof value !== kind) throw invalidAt([`settings.${name}`], WRONG_TYPE[kind]({ name }));
    if (typeof value === 'string') {
      requireText('settings', name, value);
      if (URL.canParse(value) && new URL(value).password !== '')
        throw invalidAt([`settings.${name}`], settingSentences.setting_with_password({ name }));
    }
    after[name] = value;
  }
  return after;
}

const WRONG_TYPE = {
  string: settingSentences.setting_not_string,
  number: settingSentences.setting_not_number,
  boolean: settingSentences.setting_not_boolean,
};

/** Throws 400 for an unknown name, a setting that is not secret, and an empty value. */
export function requireSecrets(schema: SettingsSchema, given: Given['secrets'] = {}): void {
  for (const [name, value] of Object.entries(given)) {
    if (!requireKnown(schema, name).writeOnly)
      throw invalidAt([`secrets.${name}`], settingSentences.setting_not_secret({ name }));
    if (value === '') throw invalidAt([`secrets.${name}`], settingSentences.secret_empty({ name }));
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
  throw invalidAt(paths, settingSentences.settings_missing({ names: missing }));
}

/** An error at fields of the request, so that a form shows it there. */
export const invalidAt = (paths: readonly string[], why: Sentence) =>
  new DomainError('invalid', why, { issues: paths.map((path) => problem(path, 'bad_setting', why)) });

function requireKnown(schema: SettingsSchema, name: string) {
  const setting = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  if (setting !== undefined) return setting;
  const known = Object.keys(schema.properties).join(', ') || 'none';
  throw connectorRefusals.setting_unknown({ name: name.slice(0, 100), known });
}

function requireText(field: 'settings' | 'secrets', name: string, value: string) {
  if (value.length > LONGEST || value.includes('\0'))
    throw invalidAt([`${field}.${name}`], settingSentences.setting_too_long({ name, most: LONGEST }));
}
