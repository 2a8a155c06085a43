/** One setting of a type's JSON Schema. Secrets are `writeOnly`. */
export interface Setting {
  name: string;
  type: 'string' | 'number' | 'boolean';
  description: string;
  default?: string | number | boolean;
  writeOnly?: boolean;
  required: boolean;
}

interface SettingsSchema {
  properties?: Record<string, Omit<Setting, 'name' | 'required'>>;
  required?: string[];
}

/** Returns the settings of a JSON Schema, those that are required first. */
export function settingsOf(schema: Record<string, unknown>): Setting[] {
  const { properties = {}, required = [] } = schema as SettingsSchema;
  // The schema of a stored definition keeps the order of this list, but not that of its properties.
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return [...required, ...optional].flatMap((name) => {
    const setting = properties[name];
    return setting === undefined ? [] : [{ ...setting, name, required: required.includes(name) }];
  });
}
