import { isAbsent } from '../../../../../protocol/src/records.ts';
import { type Fields, type Issues, isObject, type Path, text } from './record-fields.ts';

/**
 * The references of a page's accounts, each once, as columns: the record's number from 1; slug, id and name; slug and id of
 * what gives it (D68), null if it was given directly.
 */
export interface Refs {
  records: number[];
  types: string[];
  ids: string[];
  names: (string | null)[];
  viaTypes: (string | null)[];
  viaIds: (string | null)[];
}

export const noRefs = (): Refs => ({ records: [], types: [], ids: [], names: [], viaTypes: [], viaIds: [] });

const MOST_SLUGS = 1000;

/** Returns false if the page names too many types. */
function remember(slugs: Map<string, string>, slug: string, account: string): boolean {
  if (!slugs.has(slug)) slugs.set(slug, account);
  return slugs.size <= MOST_SLUGS;
}

/** Where the references of one list of an account go. */
interface RefTarget {
  path: string;
  refs: Refs;
  viaSlugs: Map<string, string>;
  issues: Issues;
}

export function parseRefs(
  record: number,
  account: string,
  map: unknown,
  slugs: Map<string, string>,
  target: RefTarget,
) {
  const { path, issues } = target;
  if (!isObject(map)) return issues.add(path, 'object_type');
  for (const [slug, list] of Object.entries(map)) {
    if (!remember(slugs, slug, account))
      return issues.add(path, 'invalid', `should not name more than ${MOST_SLUGS} resource types`);
    if (Array.isArray(list)) parseList(record, account, slug, list, target);
    else if (!isAbsent(list)) issues.add(`${path}.${slug}`, 'list_type');
  }
}

function parseList(
  record: number,
  account: string,
  slug: string,
  list: unknown[],
  { path, refs, viaSlugs, issues }: RefTarget,
) {
  const seen = new Map<string, number>();
  let index = -1;
  const place = { toString: () => `${path}.${slug}[${index}]` };
  for (const ref of list) {
    index++;
    if (!isObject(ref)) {
      issues.add(`${place}`, 'object_type');
      continue;
    }
    const id = text(ref, 'id', place, issues, { required: true });
    const name = text(ref, 'name', place, issues);
    const via = viaOf(ref, slug, place, issues);
    if (id === undefined) continue;
    if (via !== null && !remember(viaSlugs, via.slug, account))
      return issues.add(`${place}`, 'invalid', `should not name more than ${MOST_SLUGS} resource types`);
    const known = seen.get(id);
    if (known !== undefined) {
      keepGiver(refs, known, via);
      continue;
    }
    seen.set(id, refs.ids.length);
    refs.records.push(record + 1);
    refs.types.push(slug);
    refs.ids.push(id);
    refs.names.push(name ?? null);
    refs.viaTypes.push(via?.slug ?? null);
    refs.viaIds.push(via?.id ?? null);
  }
}

/** The giver of a reference, as a record names it. */
interface Via {
  slug: string;
  id: string;
}

/** Returns what gives a reference, or null if it was given directly. */
function viaOf(ref: Fields, own: string, place: Path, issues: Issues): Via | null {
  if (isAbsent(ref.via)) return null;
  const path = `${place}.via`;
  if (!isObject(ref.via)) {
    issues.add(path, 'object_type');
    return null;
  }
  const slug = text(ref.via, 'slug', path, issues, { required: true });
  const id = text(ref.via, 'id', path, issues, { required: true });
  if (slug === undefined || id === undefined) return null;
  if (slug !== own || id !== ref.id) return { slug, id };
  issues.add(path, 'invalid', 'should name another group or license than the one that it gives');
  return null;
}

/** Decides between two givers of one reference: the account itself, or else the first by slug and id. */
function keepGiver(refs: Refs, place: number, via: Via | null) {
  const [slug, id] = [refs.viaTypes[place] ?? null, refs.viaIds[place] ?? null];
  if (slug === null || id === null) return;
  if (via !== null && (via.slug > slug || (via.slug === slug && via.id >= id))) return;
  refs.viaTypes[place] = via?.slug ?? null;
  refs.viaIds[place] = via?.id ?? null;
}
