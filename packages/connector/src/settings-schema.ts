import type { Fields } from './config.ts';

/** A setting in JSON Schema. */
export type SettingSchema = {
  type: 'string' | 'number' | 'boolean';
  description: string;
  default?: unknown;
  writeOnly?: true;
  format?: 'password';
  maxLength?: number;
};

/** The settings of a connector in JSON Schema, for forms and checks. */
export type SettingsSchema = {
  type: 'object';
  properties: Record<string, SettingSchema>;
  required: string[];
  additionalProperties: false;
};

const longestText = 20_000;

/** Returns the JSON Schema of the settings, without those that name a file or a program of the machine. */
export function settingsSchema(fields: Fields): SettingsSchema {
  const offered = Object.entries(fields).filter(([, field]) => !field.local);
  return {
    type: 'object',
    properties: Object.fromEntries(
      offered.map(([name, { kind, description, implied, secret, fallback }]) => [
        name,
        {
          type: kind === 'text' ? 'string' : kind === 'flag' ? 'boolean' : 'number',
          description: implied ? '' : description,
          ...(kind === 'text' ? { maxLength: longestText } : {}),
          ...(fallback === undefined ? {} : { default: fallback }),
          ...(secret ? { writeOnly: true, format: 'password' } : {}),
        } satisfies SettingSchema,
      ]),
    ),
    required: offered.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: false,
  };
}
