import type { Static } from 'typebox';
import type { Call } from '#kit/identity.ts';
import type { Moment } from '../history/moment.ts';
import type { AccountView, HeldView } from './account-view.ts';
import type { Giver } from './facts.ts';
import type { GrantReference } from './schemas.ts';

type Reference = Static<typeof GrantReference>;

/** A grant in force on an account (`entitlement_id` is null), or on a group or license of it. */
export interface GrantOn {
  account_id: string;
  entitlement_id: string | null;
  grant: Reference;
}

/**
 * Returns the grants in force on these accounts and their access, now or at a moment, as far as the caller may see them. `only`: those on
 * these groups and licenses.
 */
export type ReadGrants = (
  call: Call,
  accountIds: readonly string[],
  given?: { moment?: Moment | null; only?: readonly string[] },
) => Promise<GrantOn[]>;

type Shown = Record<string, (HeldView & { grants: Reference[] })[]>;
type Held = Record<'memberships' | 'assignments', Record<string, HeldView[]>>;
/** An account with the grants on it and on what it holds. */
export type WithGrants<A> = Omit<A, keyof Held> & Record<keyof Held, Shown> & { grants: Reference[] };

/** Adds the grants of accounts. */
export async function withGrants<A extends Held & Pick<AccountView, 'id'>>(
  call: Call,
  readGrants: ReadGrants,
  accounts: readonly A[],
  moment: Moment | null = null,
): Promise<WithGrants<A>[]> {
  const ids = accounts.map(({ id }) => id);
  const grants = ids.length === 0 ? [] : await readGrants(call, ids, { moment });
  const byAccount = Map.groupBy(grants, ({ account_id }) => account_id);
  return accounts.map((account) => withReasons(account, byAccount.get(account.id) ?? []));
}

/** Access through something else has the grants of its source, and is found if the source is (D68, D73). */
function withReasons<A extends Held>(account: A, grants: readonly GrantOn[]): WithGrants<A> {
  const on = Map.groupBy(grants, ({ entitlement_id }) => entitlement_id);
  const grantsOn = (id: string | null) => (on.get(id) ?? []).map(({ grant }) => grant);
  const held = new Map([...givers('group', account.memberships), ...givers('license', account.assignments)]);
  const reasonsOf = (ref: HeldView) => {
    if (ref.via == null) return { ...ref, grants: grantsOn(ref.entitlement_id) };
    const source = sourceOf(ref, held);
    if (source === undefined) return { ...ref, grants: [] };
    const { found, giver } = source;
    return {
      ...ref,
      found,
      grants: grantsOn(giver.external_uuid).map((grant) => ({ ...grant, via: giver })),
    };
  };
  const shown = (refs: Record<string, HeldView[]>): Shown =>
    Object.fromEntries(Object.entries(refs).map(([slug, list]) => [slug, list.map(reasonsOf)]));
  const { memberships, assignments } = account;
  return {
    ...account,
    grants: grantsOn(null),
    memberships: shown(memberships),
    assignments: shown(assignments),
  };
}

interface Source extends Pick<HeldView, 'via' | 'found'> {
  giver: Giver;
}

const givers = (type: Giver['type'], refs: Record<string, HeldView[]>): [string, Source][] =>
  Object.entries(refs).flatMap(([slug, list]) =>
    list.map(({ entitlement_id, id, name, ...ref }): [string, Source] => [
      entitlement_id,
      { ...ref, giver: { external_uuid: entitlement_id, type, slug, id, name } },
    ]),
  );

/** The group or license that the account holds directly, and from which this one comes. Undefined if that is not known. */
function sourceOf({ entitlement_id }: HeldView, held: ReadonlyMap<string, Source>): Source | undefined {
  const seen = new Set<Source>();
  let source = held.get(entitlement_id);
  while (source?.via != null && !seen.has(source)) {
    seen.add(source);
    source = held.get(source.via.external_uuid);
  }
  return source?.via == null ? source : undefined;
}
