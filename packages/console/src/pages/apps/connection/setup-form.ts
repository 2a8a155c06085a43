import type { Connector, ConnectorChange } from './connector.ts';
import type { Setting } from './setting.ts';

type Value = string | number | boolean;

/** The settings and secrets of a form by name. An empty text stands for none. */
export interface SettingValues {
  settings: Record<string, Value>;
  secrets: Record<string, string>;
}

export function initialValues(settings: readonly Setting[], connector: Connector | null): SettingValues {
  const plain = settings.filter(({ writeOnly }) => writeOnly !== true);
  const secret = settings.filter(({ writeOnly }) => writeOnly === true);
  return {
    settings: Object.fromEntries(
      plain.map(({ name, type, default: fallback }) => [
        name,
        connector?.settings[name] ?? (type === 'boolean' ? fallback === true : ''),
      ]),
    ),
    secrets: Object.fromEntries(secret.map(({ name }) => [name, ''])),
  };
}

/** Returns whether a setting that is not secret differs from the stored one. */
export const changesSettings = (
  settings: readonly Setting[],
  { settings: values }: SettingValues,
  connector: Connector,
) => Object.keys(changedSettings(settings, values, connector)).length > 0;

/** Returns the fields of a request that creates or changes a connector. Null removes a setting or a secret. */
export function changeOf(
  settings: readonly Setting[],
  { settings: values, secrets }: SettingValues,
  connector: Connector | null,
  removed: readonly string[] = [],
): Pick<ConnectorChange, 'settings' | 'secrets'> {
  const entered = Object.entries(secrets).filter(([name, value]) => value !== '' && !removed.includes(name));
  return {
    settings: changedSettings(settings, values, connector),
    secrets: Object.fromEntries([...entered, ...removed.map((name) => [name, null])]),
  };
}

function changedSettings(
  settings: readonly Setting[],
  values: SettingValues['settings'],
  connector: Connector | null,
): Record<string, Value | null> {
  const changes: [string, Value | null][] = [];
  for (const { name, type, writeOnly, default: fallback } of settings) {
    if (writeOnly === true) continue;
    const value = values[name] ?? '';
    const stored = connector?.settings[name];
    const before = stored ?? (type === 'boolean' ? fallback === true : '');
    if (value === before) continue;
    changes.push([name, value === '' ? null : value]);
  }
  return Object.fromEntries(changes);
}
