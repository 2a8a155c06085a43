/** How the result of a task was confirmed: the connector read the account back, a sync came later, or nothing (D80). */
export const CONFIRMATIONS = ['read', 'sync', 'none'] as const;
export type Confirmation = (typeof CONFIRMATIONS)[number];

export const SEEN_ACCOUNTS = ['active', 'inactive', 'suspended', 'absent'] as const;

export interface SeenEntitlement {
  slug: string;
  id: string;
  /** The group or license that gives it (D68). */
  via?: { slug: string; id: string };
}

/** The part of an account that a task is about, as its connector saw it afterwards. */
export interface Seen {
  account: (typeof SEEN_ACCOUNTS)[number];
  held: SeenEntitlement[];
  missing: SeenEntitlement[];
}

/** The confirmation in a report. `confirmed` is null if the connector does not report it. */
export interface ReadBack {
  confirmed: 'read' | 'none' | null;
  seen: Seen | null;
}

export const NOTHING_READ: ReadBack = { confirmed: null, seen: null };

const LONGEST_TEXT = 512;
const MOST_ENTITLEMENTS = 1000;

/** Reads `result` of a report. A field that has another form counts as absent: the contract allows any object there. */
export function readBackOf(result: object): ReadBack {
  const { confirmed, seen } = result as { confirmed?: unknown; seen?: unknown };
  return { confirmed: confirmed === 'read' || confirmed === 'none' ? confirmed : null, seen: seenOf(seen) };
}

function seenOf(value: unknown): Seen | null {
  if (typeof value !== 'object' || value === null) return null;
  const { account, held, missing } = value as Record<string, unknown>;
  const known = SEEN_ACCOUNTS.find((each) => each === account);
  return known === undefined
    ? null
    : { account: known, held: entitlementsOf(held), missing: entitlementsOf(missing) };
}

function entitlementsOf(value: unknown): SeenEntitlement[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST_ENTITLEMENTS).flatMap((each: unknown) => {
    const named = nameOf(each);
    if (named === null) return [];
    const via = nameOf((each as { via?: unknown }).via);
    return [via === null ? named : { ...named, via }];
  });
}

function nameOf(value: unknown): { slug: string; id: string } | null {
  if (typeof value !== 'object' || value === null) return null;
  const { slug, id } = value as Record<string, unknown>;
  return isText(slug) && isText(id) ? { slug, id } : null;
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= LONGEST_TEXT &&
  !value.includes('\0') &&
  value.isWellFormed();
