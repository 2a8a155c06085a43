import { isAbsent } from '../../protocol/src/records.ts';
import { type Connector, typesOf } from './define.ts';
import type { AnyRecord } from './records.ts';

/** How many records of a listing have each field, by resource type and field. */
export type FieldCounts = { had: Record<string, number>; records: Record<string, number> };

/** More attributes than a connector has. Names that differ in every record are not counted for ever. */
const mostFields = 1000;
/** A field is lost if fewer have it than 1 in 20. Some records may be readable although the others are not. */
const lostBelow = 1 / 20;

/** Counts the fields that a record has. The status is not among them: most accounts are active, so `State` counts it. */
export function countFields(had: Map<string, number>, slug: string, record: AnyRecord): void {
  for (const field of fieldsOf(record)) {
    const name = `${slug}.${field}`;
    const count = had.get(name);
    if (count !== undefined || had.size < mostFields) had.set(name, (count ?? 0) + 1);
  }
}

function* fieldsOf(record: AnyRecord): Generator<string> {
  for (const [name, value] of Object.entries(record)) {
    if (name === 'id' || name === 'status' || name === 'candidates' || isAbsent(value) || value === 0)
      continue;
    if (typeof value !== 'object') yield name;
    else
      for (const [key, part] of Object.entries(value))
        if (!isAbsent(part) && !(Array.isArray(part) && part.length === 0)) yield `${name}.${key}`;
  }
}

/**
 * Returns the first field that most records, and at least `atLeast`, had in the last completed session and hardly any has in this one. A connector that
 * has lost the right to read an attribute sees none, as if it were empty.
 */
export function lostField(
  atLeast: number,
  connector: Connector,
  before: FieldCounts,
  now: FieldCounts,
): string | undefined {
  for (const { slug } of typesOf(connector)) {
    const [all, listed] = [before.records[slug] ?? 0, now.records[slug] ?? 0];
    for (const [name, had] of Object.entries(before.had)) {
      const has = now.had[name] ?? 0;
      if (!name.startsWith(`${slug}.`) || had < atLeast || had * 2 <= all) continue;
      if (listed >= atLeast && has < listed * lostBelow)
        return `only ${has} of ${listed} ${slug} records have ${name.slice(slug.length + 1)}, which ${had} of ${all} had before; check that the connector may still read it`;
    }
  }
  return undefined;
}
