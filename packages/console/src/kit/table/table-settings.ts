import { useMemo, useState } from 'react';
import { useMe } from '../../api/me.ts';
import { keep, readKept } from '../browser/kept.ts';

/** A name for filters, sorting and columns. */
export interface SavedView {
  name: string;
  /** The part of the address after "?". */
  search: string;
  hidden: string[];
}

export interface TableSettings {
  hidden: string[];
  /** In pixels, by column. Other columns are as wide as their content needs. */
  widths: Record<string, number>;
  dense: boolean;
  views: SavedView[];
}

const NONE: TableSettings = { hidden: [], widths: {}, dense: false, views: [] };
const keyOf = (person: string, table: string) => `gatehouse-table ${person} ${table}`;

const read = (key: string): TableSettings => ({ ...NONE, ...readKept<Partial<TableSettings>>(key) });

/** How a person has arranged a table. This browser keeps it. Without a name, the table cannot be arranged. */
export function useTableSettings(table: string | undefined) {
  const person = useMe().me?.external_uuid;
  const key = table === undefined || person === undefined ? undefined : keyOf(person, table);
  const [changed, setChanged] = useState<{ key: string; settings: TableSettings }>();
  // The same object in every render, so that columns stay the same.
  const saved = useMemo(() => (key === undefined ? NONE : read(key)), [key]);
  const settings = changed !== undefined && changed.key === key ? changed.settings : saved;
  const change = (part: Partial<TableSettings>) => {
    if (key === undefined) return;
    const next = { ...settings, ...part };
    keep(key, next);
    setChanged({ key, settings: next });
  };
  return { settings, change };
}

const NARROWEST = 60;
const WIDEST = 800;
export const widthWithin = (width: number) => Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
