import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UserNameKind } from '../../../../protocol/src/user-names.ts';
import { CONNECTORS } from './isolation.ts';

/** A setting in JSON Schema. Secrets are `writeOnly`. */
export interface SettingSchema {
  type: 'string' | 'number' | 'boolean';
  description: string;
  default?: string | number | boolean;
  writeOnly?: boolean;
  format?: string;
  maxLength?: number;
}

export interface SettingsSchema {
  type: string;
  properties: Record<string, SettingSchema>;
  required: string[];
  additionalProperties: boolean;
}

/** The settings, resource types and actions of a connector. */
export interface Described {
  settings: SettingsSchema;
  resource_types: { slug: string; type: string; name: string }[];
  tasks: string[];
}

/** A kind of connector that the server can run. `npm run connector-types` generates them from the connectors. */
export interface ConnectorType extends Described {
  type: string;
  name: string;
  description: string;
  version: string;
  /** In the folder `connectors`. */
  program: string;
  /** `custom`: the app has one. Otherwise the shipped file, in the folder `connectors`. Null: the program needs none. */
  definition: string | null;
  /** Whether it was tried against a running system. Null: this depends on the definition. */
  tried: boolean | null;
  /** The system whose user names it creates (D82). Null: none, or it says so when it runs. */
  user_names: UserNameKind | null;
}

let types: ConnectorType[] | undefined;

export function connectorTypes(): readonly ConnectorType[] {
  types ??= JSON.parse(readFileSync(join(CONNECTORS, 'types.json'), 'utf8')) as ConnectorType[];
  return types;
}

export const findType = (name: string): ConnectorType | undefined =>
  connectorTypes().find(({ type }) => type === name);
