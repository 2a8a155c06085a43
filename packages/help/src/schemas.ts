/** A JSON Schema, as far as the pages show it. */
export interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  minimum?: number;
  minItems?: number;
  minLength?: number;
}

/** Returns the type of a value in words. */
export function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return 'any';
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

const OF_FORMAT: Record<string, string> = {
  uuid: '019aa0c2-7d3e-7c55-9d0f-3f2b8a6f1c11',
  'date-time': '2026-12-01T09:00:00Z',
  date: '2026-12-01',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

const OF_TYPE: Record<string, unknown> = { boolean: true, null: null, string: 'text', object: {} };

/** Returns a value that fits a schema, with the required fields only, for an example. */
export function exampleOf(schema: Schema = {}): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'array') return (schema.minItems ?? 0) > 0 ? [exampleOf(schema.items)] : [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (schema.properties !== undefined) return objectOf(schema);
  return OF_FORMAT[schema.format ?? ''] ?? OF_TYPE[type ?? ''] ?? 'text';
}

/** The required fields; without any, the first one. */
function objectOf({ properties = {}, required = [] }: Schema): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name])]));
}
