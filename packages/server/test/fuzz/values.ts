import fc, { type Arbitrary } from 'fast-check';

/** The parts of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
}

const MANY = 400;
const DEEP = 200;

/** Texts that have broken parsers, databases and pages. None names a host other than this machine. */
const ODD_TEXTS = [
  '',
  ' ',
  'null',
  '0',
  '-1',
  '1e400',
  'é\u0301\u200d👩‍👩‍👧',
  'a\u0000b',
  '\ud800',
  '\u202ereversed',
  "'; drop table account; --",
  '%00',
  '..',
  '../../etc/passwd',
  '{{7*7}}',
  '=1+1',
  '__proto__',
  'constructor',
  'toString',
  'complete',
  'abandon',
  '2099-02-30',
  '9999-12-31T23:59:59Z',
  '0000-00-00T00:00:00Z',
  '+292278994-08-17T07:12:55Z',
  'P1Y2M3DT4H5M6S',
  'P999999999999Y',
  "user.email.matches('^(a+)+$')",
  'user.attributes.x == 1 && has(account.email)',
  'x'.repeat(5_000),
  'ÿ'.repeat(300),
];

const deepArray = () => {
  let value: unknown = [];
  for (let level = 0; level < DEEP; level++) value = [value];
  return value;
};

/** Values that no schema asks for. */
const oddValues: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, [], {}),
  fc.constantFrom(...ODD_TEXTS),
  fc.constant(deepArray()),
  fc.constant(Array.from({ length: MANY }, (_, index) => `item ${index}`)),
  fc.constant(Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`key ${index}`, index]))),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values of a schema, with an odd value now and then. `ids` returns an existing id. */
export function valuesOf(schema: Schema | undefined, ids: Arbitrary<string>): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: properValues(schema ?? {}, ids) },
    { weight: 1, arbitrary: oddValues },
  );
}

function properValues(schema: Schema, ids: Arbitrary<string>): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, ids)));
  switch (schema.type) {
    case 'string':
      return texts(schema, ids);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 1_000, 2 ** 31) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -5, max: schema.maximum ?? 1_000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items, ids), { minLength: schema.minItems ?? 0, maxLength: 6 });
    case 'object':
      return objects(schema, ids);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objects(schema: Schema, ids: Arbitrary<string>): Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valuesOf(one, ids)])),
    { requiredKeys: required.filter((name) => name in properties), noNullPrototype: true },
  );
  const other = schema.patternProperties
    ? Object.values(schema.patternProperties)[0]
    : schema.additionalProperties;
  if (other === undefined || other === false) return named;
  const keys = fc.oneof(ids, fc.constantFrom(...ODD_TEXTS), fc.string({ maxLength: 20 }));
  const others = fc.dictionary(keys, valuesOf(other === true ? {} : other, ids), {
    maxKeys: 5,
    noNullPrototype: true,
  });
  return fc.tuple(named, others).map(([one, two]) => ({ ...two, ...one }));
}

function texts({ format, pattern }: Schema, ids: Arbitrary<string>): Arbitrary<string> {
  if (format === 'uuid') return fc.oneof({ weight: 5, arbitrary: ids }, { weight: 1, arbitrary: fc.uuid() });
  if (format === 'date-time')
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  // Gatehouse may fetch an address: nothing but a closed port of this machine may be named.
  if (format === 'uri') return fc.constantFrom('http://127.0.0.1:9/', 'https://127.0.0.1:9/x', 'nonsense');
  if (format === 'email') return fc.integer({ max: 99, min: 0 }).map((n) => `person${n}@fuzz.example`);
  if (pattern !== undefined)
    return fc.oneof(fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 120 }), fc.string());
  return fc.oneof(
    ids,
    fc.constantFrom('true', 'condition', 'ada@fuzz.example', 'b@fuzz.example', 'P1D', '2027-01-01', 'slug'),
    fc.constantFrom(...ODD_TEXTS),
    fc.string({ maxLength: 40, unit: 'binary' }),
  );
}

/** CSV files, most of them with the columns of an import of people. */
export const csvFiles: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('email', 'email,first_name,title', 'email,manager_email', '\ufeffemail;x', '', 'a,b'),
    fc.array(fc.oneof(fc.constantFrom(...ODD_TEXTS, 'c@fuzz.example,Ada,Engineer', '"open'), fc.string()), {
      maxLength: 20,
    }),
  )
  .map(([head, rows]) => [head, ...rows].join('\n'));
