import { Ajv } from 'ajv';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import type { Issue } from '../errors.ts';
import { isUuid } from '../ids.ts';
import { isInstant } from '../instants.ts';

const MOST_ISSUES = 20;

const formats = {
  uuid: isUuid,
  'date-time': isInstant,
  date: (text: string) => isInstant(text) && text.length === 10,
};
const ajv = new Ajv({ allErrors: true, formats, strict: false, useDefaults: true });

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validate = ajv.compile(schema);
  return (data: unknown) => {
    if (httpPart === 'querystring') readText(schema, data as Record<string, unknown>);
    return validate(data) ? { value: data } : { error: errors(validate.errors) };
  };
};

/**
 * A query holds only text: what is to be a number or a boolean becomes one, where it is written as one. Ids are
 * compared as the database writes them (D3).
 */
function readText(schema: TSchema, query: Record<string, unknown>) {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string; format?: string }> };
  for (const [name, { type, format }] of Object.entries(properties)) {
    const text = query[name];
    if (typeof text !== 'string') continue;
    if (type === 'integer' && /^[+-]?\d+$/.test(text)) query[name] = Number(text);
    if (type === 'boolean' && /^(true|false)$/.test(text)) query[name] = text === 'true';
    if (format === 'uuid') query[name] = text.toLowerCase();
  }
}

const errors = (list: unknown) => list as unknown as Error;

/** Ajv's errors in the words of contract 7.2. */
export function issuesOf(errors: FastifySchemaValidationError[]): Issue[] {
  return errors
    .filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'const' && keyword !== 'if')
    .slice(0, MOST_ISSUES)
    .map((error) => ({ path: pathOf(error), code: error.keyword, message: messageOf(error) }));
}

/** One sentence for `detail`: the first issue and where it is (D5). */
export function summary(issues: Issue[]): string {
  const first = issues[0];
  if (first === undefined) return 'The request is not valid.';
  return first.path === '' ? first.message : `${first.message} (${first.path})`;
}

function pathOf({ instancePath, keyword, params }: FastifySchemaValidationError): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') steps.push(String(params.missingProperty));
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  );
}

const TYPES: Record<string, string> = {
  string: 'Input should be a valid string',
  integer: 'Input should be a valid integer',
  number: 'Input should be a valid number',
  boolean: 'Input should be a valid boolean',
  object: 'Input should be a valid object',
  array: 'Input should be a valid list',
};

function messageOf({ keyword, params, message }: FastifySchemaValidationError): string {
  switch (keyword) {
    case 'required':
      return 'Field required';
    case 'type':
      return TYPES[String(params.type).split(',')[0] ?? ''] ?? 'Input has the wrong type';
    case 'minLength':
      return `String should have at least ${params.limit} characters`;
    case 'maxLength':
      return `String should have at most ${params.limit} characters`;
    case 'minimum':
      return `Input should be greater than or equal to ${params.limit}`;
    case 'maximum':
      return `Input should be less than or equal to ${params.limit}`;
    case 'maxItems':
      return `List should have at most ${params.limit} items`;
    case 'minItems':
      return `List should have at least ${params.limit} items`;
    case 'enum':
      return `Input should be one of: ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'format':
      return params.format === 'uuid'
        ? 'Input should be a valid UUID'
        : `Input should be a valid ${params.format}`;
    default:
      return `Input ${message ?? 'is not valid'}`;
  }
}
