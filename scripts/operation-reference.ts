import { withoutReferences } from '../packages/server/src/kit/http/components.ts';

interface Schema {
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Access {
  scope: string;
  roles: string[];
  step_up: boolean | 'privileged';
  listed_apps: boolean;
}

interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses?: Record<string, unknown>;
  'x-access'?: Access;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const BLOCK = /(?<=<!-- operations: ([^>]+) -->\n).*?(?=<!-- operations end -->)/gs;
/** Every list has them (D9). */
const PARAMETERS_OF_LISTS = ['limit', 'offset', 'count_to'];

/**
 * Returns the page with a table of operations between each `<!-- operations: TAG, TAG -->` and `<!-- operations end -->`. Throws
 * unless each tag of the server's OpenAPI document has exactly one place, so that the page can miss no operation.
 */
export function withOperations(page: string, document: object): string {
  const { paths } = withoutReferences(document) as Document;
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
  const byTag = Map.groupBy(all, ({ operation }) => operation.tags?.[0] ?? '');
  const placed = [...page.matchAll(BLOCK)].flatMap(([, tags = '']) => tags.split(', '));
  const wrong = [...new Set([...byTag.keys(), ...placed])].filter(
    (tag) => !byTag.has(tag) || placed.filter((other) => other === tag).length !== 1,
  );
  if (wrong.length > 0)
    throw new Error(`Each tag of operations needs exactly one place on the page: ${wrong.join(', ')}`);
  return page.replace(BLOCK, (_, tags: string) => {
    const rows = tags
      .split(', ')
      .flatMap((tag) => byTag.get(tag) ?? [])
      .map(({ method, path, operation }) => {
        const address = path.replace('/org/{org}', '').replaceAll(/[{](\w+)[}]/g, '<$1>');
        return `| \`${method.toUpperCase()} ${address}\` | ${access(operation['x-access'])} | ${meaning(operation)} |\n`;
      });
    return `\n| operation | who may call it | what it does |\n| --- | --- | --- |\n${rows.join('')}\n`;
  });
}

/** Returns the operations that a text names and the server's OpenAPI document does not have. */
export function unknownOperationsIn(text: string, document: object): string[] {
  const known = new Set(
    Object.entries((document as Document).paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${comparable(path)}`),
    ),
  );
  const named = text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/(?:api|auth|scim)\/[^`\s?]*)/g);
  return [...named]
    .map(([, method, path = '']) => ({ method, path }))
    .filter(({ method, path }) => !known.has(`${method} ${comparable(path)}`))
    .map(({ method, path }) => `${method} ${path}`);
}

/** Texts write `<id>` or `{id}` for any parameter, and may leave out the last slash. */
const comparable = (path: string) =>
  path
    .replace('/org/{org}', '')
    .replaceAll(/<[^>]+>|[{][^}]+[}]/g, '*')
    .replace(/\/$/, '');

/** Returns who may call an operation, in words. */
export function access(rule: Access | undefined): string {
  if (rule === undefined) return 'everybody';
  const scope = rule.scope === 'session' ? 'session' : `\`${rule.scope}\``;
  const parts = [scope, rule.roles.length === 0 ? 'all roles' : rule.roles.join(', ')];
  if (rule.step_up === true) parts.push('step-up');
  if (rule.step_up === 'privileged') parts.push('step-up for privileged changes');
  if (rule.listed_apps) parts.push('app-scoped');
  return parts.join('; ');
}

function meaning(operation: Operation): string {
  const { summary = '', description, parameters = [], requestBody, responses = {} } = operation;
  const query = parameters.filter((one) => one.in === 'query' && !PARAMETERS_OF_LISTS.includes(one.name));
  const body = Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) =>
    type === 'application/json' ? fieldsOf(schema).join(', ') : `\`${type}\``,
  );
  const status = Object.keys(responses).filter((code) => code.startsWith('2') && code !== '200');
  const sentences = [
    `${summary}.`,
    description,
    query.length > 0 && `Parameters: ${query.map(({ name }) => `\`${name}\``).join(', ')}.`,
    body.some((text) => text !== '') && `Body: ${body.join(' or ')}.`,
    status.length > 0 && `Returns ${status.join(' or ')}.`,
  ];
  return sentences
    .filter((sentence) => sentence)
    .join(' ')
    .replaceAll('\n', ' ')
    .replaceAll('|', '\\|');
}

/** The names of the fields of a JSON body. Required ones are bold. */
function fieldsOf(schema: Schema): string[] {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.flatMap(fieldsOf))];
  return Object.keys(schema.properties ?? {}).map((name) =>
    schema.required?.includes(name) ? `**\`${name}\`**` : `\`${name}\``,
  );
}
