import { Ajv } from 'ajv';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySchemaValidationError, FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { isEmail } from './email.ts';
import { inputSentences } from './http/sentences.ts';
import { isUuid } from './ids.ts';
import { isInstant } from './instants.ts';
import { type Issue, issue, MOST_ISSUES } from './issues.ts';

const formats = {
  uuid: isUuid,
  'date-time': isInstant,
  date: (text: string) => isInstant(text) && text.length === 10,
  email: isEmail,
};
const ajv = new Ajv({ allErrors: true, formats, strict: false, useDefaults: true });

/** Ids compare equal to those of the database in any case (D3). Runs while a value is validated. */
ajv.addKeyword({
  keyword: 'lowerCase',
  type: 'string',
  modifying: true,
  validate: (
    _: boolean,
    text: string,
    _schema: unknown,
    at?: { parentData: object; parentDataProperty: string | number },
  ) => at === undefined || Reflect.set(at.parentData, at.parentDataProperty, text.toLowerCase()),
});

/** Copies a schema and marks its ids. */
function withLowerCaseIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withLowerCaseIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.entries(schema).map(([key, value]) => [key, withLowerCaseIds(value)]);
  return {
    ...Object.fromEntries(copy),
    ...('format' in schema && schema.format === 'uuid' ? { lowerCase: true } : {}),
  };
}

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = onFirstUse(() => ajv.compile(withLowerCaseIds(schema) as object));
  return (given: unknown) => {
    const data = httpPart === 'body' && given === null && isOptionalObject(schema) ? {} : given;
    if (httpPart === 'querystring') convertQuery(schema, data as Record<string, unknown>);
    const validate = compiled();
    if (validate(data)) return { value: data };
    return {
      error: asError(httpPart === 'querystring' ? ofQuery(schema, validate.errors) : validate.errors),
    };
  };
};

interface BodySchema {
  type?: string;
  required?: string[];
  anyOf?: BodySchema[];
}

/** Whether a body is an object whose fields are all optional. It may be missing, and counts as empty then. */
const isOptionalObject = ({ type, required = [] }: BodySchema): boolean =>
  type === 'object' && required.length === 0;

/** Whether a request may have no body (D19). */
export const mayBeMissing = (schema: BodySchema): boolean =>
  isOptionalObject(schema) || (schema.anyOf ?? []).some(({ type }) => type === 'null');

const UNKNOWN = 'unknownParameter';

/** Turns errors about properties that a query does not have into those of parameters, with the names that it has. */
const ofQuery = ({ properties = {} }: { properties?: object }, errors: typeof ajv.errors) =>
  errors?.map((error) =>
    error.keyword === 'additionalProperties'
      ? { ...error, keyword: UNKNOWN, params: { ...error.params, known: Object.keys(properties) } }
      : error,
  );

export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  const compiled = onFirstUse(() => fastJsonStringify(schema as Parameters<typeof fastJsonStringify>[0]));
  return (data: unknown) => compiled()(data);
};

/** Compiling the schemas of all routes takes more time than all else that the service does when it starts. */
function onFirstUse<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Query parameters arrive as text. Converts numbers and booleans. */
function convertQuery(schema: TSchema, query: Record<string, unknown>) {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  for (const [name, { type }] of Object.entries(properties)) {
    const text = query[name];
    if (typeof text !== 'string') continue;
    if (type === 'integer' && /^[+-]?\d+$/.test(text)) query[name] = Number(text);
    if (type === 'boolean' && /^(true|false)$/.test(text)) query[name] = text === 'true';
  }
}

/** Fastify accepts a list of Ajv errors but declares an Error. */
const asError = (list: unknown) => list as unknown as Error;

/** `anyOf` and `if` only repeat the errors of their branches. */
const REPEATED = new Set(['anyOf', 'const', 'if']);

/** Converts Ajv's errors to issues. */
export function issuesOf(errors: FastifySchemaValidationError[]): Issue[] {
  const found = errors.filter(({ keyword }) => !REPEATED.has(keyword));
  const explained = new Set(
    found.filter((one) => !isNullBranch(one)).map(({ instancePath }) => instancePath),
  );
  return found
    .filter((error) => !(isNullBranch(error) && explained.has(error.instancePath)))
    .slice(0, MOST_ISSUES)
    .map(issueOf);
}

/** A value that may be null or something else also fails to be null. The other error says more. */
const isNullBranch = ({ keyword, params }: FastifySchemaValidationError) =>
  keyword === 'type' && params.type === 'null';

function issueOf(error: FastifySchemaValidationError): Issue {
  const { keyword, params, message } = error;
  const path = pathOf(error);
  const limit = Number(params.limit);
  switch (keyword) {
    case 'required':
      return issue(path, 'missing');
    case UNKNOWN:
      return unknownParameter(path, params.known as string[]);
    case 'type':
      return issue(path, TYPES[String(params.type).split(',')[0] ?? ''] ?? 'wrong_type');
    case 'minLength':
      return issue(path, 'string_too_short', limit);
    case 'maxLength':
      return issue(path, 'string_too_long', limit);
    case 'minimum':
      return issue(path, 'too_small', limit);
    case 'maximum':
      return issue(path, 'too_large', limit);
    case 'minItems':
      return issue(path, 'too_short', limit);
    case 'maxItems':
      return issue(path, 'too_long', limit);
    case 'maxProperties':
      return issue(path, 'invalid', inputSentences.at_most_fields({ most: limit }));
    case 'enum':
      return issue(path, 'enum', (params.allowedValues as unknown[]).map(String));
    case 'format':
      return issue(path, 'string_format', String(params.format));
    default:
      return issue(path, 'invalid', message ?? inputSentences.not_valid());
  }
}

const unknownParameter = (path: string, known: string[]) =>
  issue(path, 'unknown_parameter', known.length === 0 ? inputSentences.no_parameters() : known);

const TYPES = {
  string: 'string_type',
  integer: 'int_type',
  number: 'number_type',
  boolean: 'bool_type',
  object: 'object_type',
  array: 'list_type',
} as {
  [type: string]: 'string_type' | 'int_type' | 'number_type' | 'bool_type' | 'object_type' | 'list_type';
};

function pathOf({ instancePath, keyword, params }: FastifySchemaValidationError): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') steps.push(String(params.missingProperty));
  if (keyword === UNKNOWN) steps.push(String(params.additionalProperty));
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  );
}
