import type { AccountRecord, Ref, Wanted } from '@gatehouse/connector';
import { accountOf, held, readAllHoldings, refuseStatus } from './accounts.ts';
import { listedRow } from './changes.ts';
import type { Plan, TypePlan } from './plan.ts';
import type { Reader } from './statements.ts';
import { heldGroups } from './tasks.ts';

const silent = { info: () => {}, warn: () => {} };

/** Reads one account, with all its groups or with those that are wanted; null if the list does not have it. */
export async function readAccount(
  reader: Reader,
  plan: Plan,
  type: TypePlan,
  id: string,
  wanted?: Wanted,
): Promise<AccountRecord | null> {
  const cols = await listedRow(reader, type, id);
  if (cols === undefined) return null;
  const record = accountOf(type, cols, refuseStatus);
  if (wanted && !isNested(plan)) return { ...record, ...(await directly(reader, plan, type, id, wanted)) };
  const holdings = await readAllHoldings(reader, plan, type, silent);
  try {
    return { ...record, ...held(plan, type, holdings, id) };
  } finally {
    holdings.spool.close();
  }
}

/** Whether groups can be in groups, so that only all grants together say what an account has. */
function isNested({ types }: Plan): boolean {
  const accounts = new Set(types.filter(({ kind }) => kind === 'account').map(({ slug }) => slug));
  return types.some(({ grants }) =>
    grants.some(({ map }) =>
      map.some(({ principalType, expandable }) => expandable !== undefined || !accounts.has(principalType)),
    ),
  );
}

async function directly(
  reader: Reader,
  plan: Plan,
  type: TypePlan,
  id: string,
  { entitlements }: Wanted,
): Promise<Pick<AccountRecord, 'memberships' | 'assignments'>> {
  const known = plan.types.filter(({ kind }) => kind !== 'account');
  const groups = entitlements.filter(({ slug }) => known.some((each) => each.slug === slug));
  const found = await heldGroups({ reader, plan, type, deliverTo: undefined }, groups, id);
  const of = (kind: TypePlan['kind']) => {
    const slugs = known.filter((each) => each.kind === kind).map(({ slug }) => slug);
    const refs = (slug: string): Ref[] =>
      found.flatMap(({ group }) => (group.slug === slug ? [{ id: group.id }] : []));
    return Object.fromEntries(
      slugs.filter((slug) => groups.some((each) => each.slug === slug)).map((slug) => [slug, refs(slug)]),
    );
  };
  return { memberships: of('group'), assignments: of('license') };
}
