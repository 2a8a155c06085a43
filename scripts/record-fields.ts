import { fieldsOf, RECORD_FIELDS, type RecordField } from '../packages/protocol/src/records.ts';

const TYPES = {
  ...{
    text: 'text',
    email: 'email address',
    time: 'timestamp',
    flag: 'true or false',
    count: 'whole number',
  },
  ...{ choice: 'text', attributes: 'object' },
};

/** Returns the tables of the fields of records, for docs/reference/protocol.md. */
export const recordFields = (): string =>
  Object.entries(RECORD_FIELDS)
    .map(
      ([kind, table]) => `| field of ${kind}s | type | |
| --- | --- | --- |
${fieldsOf(table).map(rowOf).join('\n')}
`,
    )
    .join('\n');

const rowOf = ([name, { type, values, description, required, detail }]: [string, RecordField]) => {
  const notes = [required === true ? 'required' : '', detail === true ? 'gives no access' : ''].filter(
    Boolean,
  );
  const kind = values === undefined ? TYPES[type] : values.map((value) => `\`${value}\``).join(', ');
  return `| \`${name}\` | ${kind} | ${[description, ...notes].join('; ')} |`;
};
