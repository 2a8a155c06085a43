import { access } from 'node:fs/promises';
import {
  type AccountRecord,
  type Attributes,
  defineConnector,
  main,
  type Ref,
  text,
  VERSION,
} from '@gatehouse/connector';
import { ACCOUNT_FIELDS, fieldsOf } from '../../packages/protocol/src/records.ts';
import { column, type Row, rows } from './rows.ts';

/** The fields that files have columns for. */
const columns = fieldsOf(ACCOUNT_FIELDS).filter(([, { headers }]) => headers !== undefined);
const others = columns.map(([name]) => name).filter((name) => !['id', 'email', 'username'].includes(name));

/** Reads accounts, groups and licenses from files: CSV with a header, or JSON lines (`.jsonl`). Read-only. */
export const connector = defineConnector({
  name: 'csv',
  version: VERSION,
  description: 'Accounts, groups and licenses from CSV or JSON lines files',
  config: {
    accounts: text(
      `file with id, email or username, ${others.join(', ')}, groups, licenses, attributes.<name>`,
    ),
    groups: text('file with id, name, description, risk, owner', { optional: true }),
    licenses: text('file with id, name, description, max_count', { optional: true }),
    encoding: text('encoding of the files, such as utf-8, windows-1252, iso-8859-1 or utf-16le', {
      default: 'utf-8',
    }),
    columnSeparator: text('separator of the columns: , ; | or tab', { default: ',' }),
    separator: text('separator of several groups in one field', { default: ';' }),
  },
  connect: (config) => config,
  async check(files) {
    for (const file of [files.accounts, files.groups, files.licenses]) if (file) await access(file);
  },
  groups: {
    group: {
      name: 'Groups',
      async *list({ groups, ...format }) {
        if (!groups) return;
        for await (const row of rows(groups, ['id', 'name'], format)) {
          yield {
            id: column(row, 'id'),
            name: column(row, 'name'),
            description: column(row, 'description'),
            risk: column(row, 'risk').toLowerCase() as 'low',
            owner: column(row, 'owner'),
          };
        }
      },
    },
  },
  licenses: {
    license: {
      name: 'Licenses',
      async *list({ licenses, ...format }) {
        if (!licenses) return;
        for await (const row of rows(licenses, ['id', 'name'], format)) {
          const seats = column(row, 'max_count');
          yield {
            id: column(row, 'id'),
            name: column(row, 'name'),
            max_count: seats === '' ? null : Number(seats),
          };
        }
      },
    },
  },
  accounts: {
    account: {
      name: 'Accounts',
      async *list({ accounts, groups, licenses, separator, ...format }) {
        for await (const row of rows(accounts, ['id'], format)) {
          yield {
            ...fields(row),
            memberships: { group: refs(row.groups, separator, groups) },
            assignments: { license: refs(row.licenses, separator, licenses) },
          };
        }
      },
    },
  },
});

const prefix = 'attributes.';

function fields(row: Row): AccountRecord {
  const status = column(row, 'status').toLowerCase() || 'active';
  const named = columns.map(([name, { type }]) => [
    name,
    type === 'flag' ? flagOf(column(row, name)) : column(row, name),
  ]);
  return {
    ...(Object.fromEntries(named) as AccountRecord),
    status: status as 'active',
    attributes: attributesOf(row),
  };
}

/** Other texts stay, for the message that they are wrong. */
const flagOf = (text: string) =>
  /^(?:true|yes|1)$/i.test(text) ? true : /^(?:false|no|0)$/i.test(text) ? false : text;

/** The object of a line of JSON, or the columns that are named after attributes. */
function attributesOf(row: Row): Attributes {
  if (typeof row.attributes === 'object' && row.attributes !== null) return row.attributes as Attributes;
  const names = Object.keys(row).filter((name) => name.startsWith(prefix));
  return Object.fromEntries(names.map((name) => [name.slice(prefix.length), column(row, name)]));
}

/**
 * Without a file of groups or licenses, the service creates them from the references of the accounts. Their ids are then names, which
 * programs write in several forms of Unicode.
 */
function refs(value: unknown, separator: string, file: string | undefined): Ref[] {
  const given = Array.isArray(value) ? value.map(idOf) : idOf(value ?? '').split(separator);
  const names = given.map((name) => name.trim()).filter(Boolean);
  if (file) return [...new Set(names)].map((id) => ({ id }));
  return [...new Map(names.map((name) => [name.normalize('NFC'), name]))].map(([id, name]) => ({ id, name }));
}

/** Lines of JSON may have objects in the place of ids, which would all become one group. */
function idOf(value: unknown): string {
  if (typeof value === 'object')
    throw new Error(`${JSON.stringify(value)} is not the id of a group or license`);
  return String(value);
}

await main(connector, import.meta);
