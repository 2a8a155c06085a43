import { type Access, access } from '../../../scripts/operation-reference.ts';
import { readServerDocument } from '../../console/scripts/server-document.ts';
import { withoutReferences } from '../../server/src/kit/http/components.ts';
import type { Section } from './contents.ts';
import { exampleOf, type Schema, typeOf } from './schemas.ts';

interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
  'x-access'?: Access;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

interface Pages {
  pages: { path: string; text: string }[];
  sections: Section[];
}

const JSON_TYPE = 'application/json';

/** Returns a page for each tag of the server's OpenAPI document, with all of its operations and how to call them. */
export async function apiPages(): Promise<Pages> {
  const { paths } = withoutReferences(await readServerDocument()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Call => ({ method, path, operation })),
  );
  const byTag = [...Map.groupBy(calls, ({ operation }) => operation.tags?.[0] ?? 'Other')].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const pages = byTag.map(([tag, tagged]) => ({
    path: `api/${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
    text: [`# ${tag}`, introduction(tag), ...tagged.map(operationText)].join('\n\n'),
  }));
  return { pages, sections: [{ title: 'API', groups: [{ paths: pages.map(({ path }) => path) }] }] };
}

const introduction = (tag: string) =>
  `**For:** authors of programs. **You need:** the address and the key of an organization in \`BASE\` and \`KEY\` ([how to set them](../guides/start-with-curl.md#address-key-and-functions)).

The operations of the API about ${tag.toLowerCase()}. Every refusal has the form of [errors](../reference/errors.md).`;

function operationText({ method, path, operation }: Call): string {
  const { operationId, summary = '', description = '', parameters = [], requestBody } = operation;
  const address = path.replace('/org/{org}', '');
  const [type, { schema } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const named = parameters.filter(({ name }) => name !== 'org');
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${address}\`, in clients \`${operationId}\``,
    `For: ${access(operation['x-access'])}.`,
    description,
    fieldTable('Parameter', named.map(parameterRow)),
    type === JSON_TYPE ? fieldTable('Field of the body', bodyRows(schema)) : bodyType(type),
    responses(operation),
    `\`\`\`sh\n${curl(method, path, operation)}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

type Row = [name: string, type: string, required: boolean, description: string];

const parameterRow = ({ name, required = false, description = '', schema }: Parameter): Row => [
  name,
  typeOf(schema),
  required,
  description,
];

function bodyRows(schema: Schema = {}): Row[] {
  if (schema.anyOf !== undefined) {
    const rows = schema.anyOf.flatMap((one) => bodyRows(one));
    return [...new Map(rows.map((row) => [row[0], row])).values()];
  }
  return Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    typeOf(field),
    schema.required?.includes(name) === true,
    field.description ?? '',
  ]);
}

function fieldTable(head: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(
    ([name, type, required, description]) =>
      `| \`${name}\` | ${cell(type)} | ${required ? 'yes' : ''} | ${cell(description)} |`,
  );
  return [`| ${head} | Type | Required | Meaning |`, '| --- | --- | --- | --- |', ...lines].join('\n');
}

const cell = (text: string) => text.replaceAll('\n', ' ').replaceAll('|', '\\|');

const bodyType = (type: string | undefined) => (type === undefined ? '' : `The body is \`${type}\`.`);

/** The statuses of success, with the fields of the body. */
function responses({ responses: all = {} }: Operation): string {
  const sentences = Object.entries(all)
    .filter(([status]) => /^[23]/.test(status))
    .map(([status, { content = {} }]) => {
      const [type, { schema = {} } = {}] = Object.entries(content)[0] ?? [];
      const fields = bodyRows(schema).map(([name]) => `\`${name}\``);
      const what =
        fields.length > 0 ? `with ${fields.join(', ')}` : type === undefined ? '' : `as \`${type}\``;
      return `Returns ${status} ${what}`.trim();
    });
  return sentences.map((sentence) => `${sentence}.`).join(' ');
}

/** Returns a call with what the operation requires. Names in capitals stand for values of the reader. */
function curl(
  method: string,
  path: string,
  { parameters = [], requestBody, 'x-access': rule }: Operation,
): string {
  const address = path
    .replace('/org/{org}', '$BASE')
    .replaceAll(/[{](\w+)[}]/g, (_, name: string) => `$${name.toUpperCase()}`);
  const query = parameters
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(schema)))}`);
  const url = `"${address.startsWith('$BASE') ? address : `\${BASE%/org/*}${address}`}${query.length > 0 ? `?${query.join('&')}` : ''}"`;
  const [type, { schema } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const body =
    type === undefined
      ? []
      : type === JSON_TYPE
        ? [`-H 'Content-Type: ${type}'`, `-d '${JSON.stringify(exampleOf(schema)).replaceAll("'", "'\\''")}'`]
        : [`-H 'Content-Type: ${type}'`, '--data-binary @FILE'];
  const needsMethod = method !== 'get' && !(method === 'post' && body.length > 0);
  return [
    `curl ${needsMethod ? `-X ${method.toUpperCase()} ` : ''}${url}`,
    ...(rule === undefined
      ? []
      : [rule.scope === 'session' ? '-b "$SESSION"' : '-H "Authorization: Api-Key $KEY"']),
    ...body,
  ].join(' \\\n  ');
}
