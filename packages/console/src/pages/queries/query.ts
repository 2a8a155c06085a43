import type { Answer, Item, List, PageOf } from '../../api/client.ts';
import { list } from '../../api/client.ts';

export type SavedQuery = Answer<'/api/queries/{query_id}/'>;
export type Field = Answer<'/api/queries/fields/'>['results'][number];
export type Row = Item<'/api/queries/run/'>;
export type Subject = SavedQuery['query']['subject'];

export interface Condition {
  /** Empty until somebody chooses one. */
  field: string;
  operator: string;
  value?: unknown;
}

/** A query as somebody writes it. Conditions may lack something. */
export interface Query {
  subject: Subject;
  conditions: readonly Condition[];
  /** Without them, the server chooses a few. */
  columns?: readonly string[];
  sort?: string;
}

export const NEW: Query = { subject: 'accounts', conditions: [] };
const SUBJECTS: readonly Subject[] = ['people', 'accounts', 'access'];

/** Reads a query of an address. Any other text becomes a new query. */
export function readQuery(text: string | undefined): Query | undefined {
  if (text === undefined) return undefined;
  try {
    const { subject, conditions = [], columns, sort } = JSON.parse(text) as Query;
    if (!SUBJECTS.includes(subject) || !Array.isArray(conditions)) return NEW;
    return {
      subject,
      conditions: conditions.filter((one) => typeof one?.field === 'string'),
      ...(Array.isArray(columns) && { columns }),
      ...(typeof sort === 'string' && { sort }),
    };
  } catch {
    return NEW;
  }
}

export const writeQuery = (query: Query): string => JSON.stringify(query);

const ATTRIBUTES = ['user.attributes.', 'account.attributes.'];

/** The part of a field before the name of an attribute; the name of any other field. */
export const stemOf = (name: string): string => ATTRIBUTES.find((prefix) => name.startsWith(prefix)) ?? name;
export const isAttribute = (name: string): boolean => stemOf(name).endsWith('.');

export const fieldIn = (fields: readonly Field[], name: string): Field | undefined =>
  fields.find((one) => one.name === stemOf(name));

const isGiven = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

function isComplete(fields: readonly Field[], { field, operator, value }: Condition): boolean {
  const takes = fieldIn(fields, field)?.operators.find(({ name }) => name === operator)?.takes;
  if (takes === undefined || field.endsWith('.')) return false;
  return takes === 'nothing' || isGiven(value);
}

/** The query without conditions that lack something, as requests have it. */
export const askedBy = (fields: readonly Field[], query: Query): Query => ({
  ...query,
  conditions: query.conditions.filter((one) => isComplete(fields, one)),
});

/** Keeps the parts of a query that another subject has, too. */
export function withSubject(fields: readonly Field[], query: Query, subject: Subject): Query {
  const has = (name: string) => fieldIn(fields, name)?.subjects.includes(subject) === true;
  const columns = query.columns?.filter(has) ?? [];
  return {
    subject,
    conditions: query.conditions.filter(({ field }) => has(field)),
    ...(columns.length > 0 && { columns }),
    ...(query.sort !== undefined && has(query.sort.replace('-', '')) && { sort: query.sort }),
  };
}

export interface NumberedRow extends Row {
  id: string;
}

const idOf = ({ user, account, resource }: Row) =>
  [account?.external_uuid ?? user?.external_uuid, resource?.external_uuid].join(' ');

/** The rows of a query. */
export function rowsOf(query: Query): List<NumberedRow> {
  const { key, page } = list('/api/queries/run/', { query: { query: writeQuery(query) } });
  return {
    key,
    page: async (at, signal): Promise<PageOf<NumberedRow>> => {
      const { results, ...rest } = await page(at, signal);
      return { ...rest, results: results.map((row) => ({ ...row, id: idOf(row) })) };
    },
  };
}
