import type { Table } from './catalog.ts';

/** Texts of COPY, which takes no parameters. The names come from the catalog, quoted. */

const columnsOf = ({ columns }: Table) => columns.join(', ');

/** Copies the rows of some pages of the embedded database, in the order in which they are stored. */
export const copyPages = (table: Table, from: number, to: number) =>
  `copy (select ${columnsOf(table)} from only ${table.name} where ctid >= '(${from},0)' and ctid < '(${to},0)') to '/dev/blob'`;

export const copyIn = (table: Table) => `copy ${table.name} (${columnsOf(table)}) from stdin`;

export const copyOut = (table: Table) => `copy ${table.name} (${columnsOf(table)}) to stdout`;
