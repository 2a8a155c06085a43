import type { OrgDb } from '#kit/database.ts';
import type { FormerAccount, FormerMembership } from './queries/access.ts';
import { type Loss, lossesOf, suspendedBy } from './queries/losses.ts';
import type { RestoreAction, RestoreTask } from './schemas.ts';
import { restoreRefusals } from './sentences.ts';

/** An access that is missing: a group or license, or the account itself. */
export interface Wish {
  former: FormerAccount;
  account: RestoreTask['account'];
  user: string | null;
  action: RestoreAction;
  /** The account that exists and gets it. */
  target: string | null;
  /** The account that gets it, or is created again. Null: a new one. */
  subject: string | null;
  /** Null: the account itself. */
  resource: FormerMembership | null;
  /** Whether a sync found it, so that no end of a grant took it away. */
  found: boolean;
}

/** Single access to bring back. `slug` and `resource` are null for the account itself. */
export interface RestoreItem {
  account: string;
  slug: string | null;
  resource: string | null;
}

/** The choice of what comes back: by default everything that was lost by mistake (D75). */
export interface Choice {
  includePossible: boolean;
  /** Whether access that decisions took away comes back, or the ids of these decisions. */
  includeDecided: boolean | string[];
  /** Comes back, too. */
  items: RestoreItem[];
}

interface Chosen extends Wish {
  loss: Pick<Loss, 'lost_by' | 'ends_at'>;
  /** The decisions that took it away. */
  decisions: (string | null)[];
  included: boolean;
  named: boolean;
}

/**
 * Returns the tasks that bring these accesses back, and says for each access whether a decision took it away and whether it is included. 422
 * for a chosen access or decision that is not in the plan.
 */
export async function chosenTasks(
  db: OrgDb,
  wishes: readonly Wish[],
  choice: Choice,
  asOf: string,
): Promise<RestoreTask[]> {
  const lossOf = await findLosses(db, wishes, asOf);
  const { includeDecided: decided, items, includePossible } = choice;
  const asked = {
    includePossible,
    items: new Set(items.map(itemKey)),
    decided: decided === true ? ALL : new Set<string | null>(decided || []),
  };
  const chosen = wishes.map((wish) => choose(wish, lossOf(wish), asked));
  requireKnown(chosen, choice);
  return [...Map.groupBy(chosen, placeOf).values()].map(taskOf);
}

async function findLosses(
  db: OrgDb,
  wishes: readonly Wish[],
  asOf: string,
): Promise<(wish: Wish) => Loss | undefined> {
  const lost = wishes.filter(({ action, resource }) => action !== 'unsuspend_account' || resource !== null);
  const missing = lost.flatMap(({ former, resource, found, subject }) => {
    const entitlement_id = resource?.entitlement_id ?? null;
    const own = {
      account_id: former.account_id,
      entitlement_id,
      found,
      moved: subject !== former.account_id,
    };
    return subject === null || !own.moved
      ? [own]
      : [own, { account_id: subject, entitlement_id, found: true, moved: false }];
  });
  const suspended = wishes.flatMap(({ action, target }) =>
    action === 'unsuspend_account' ? (target ?? []) : [],
  );
  const byAccess = new Map((await lossesOf(db, missing, asOf)).map((loss) => [keyOf(loss), loss]));
  const suspensions = new Map((await suspendedBy(db, suspended)).map((loss) => [loss.account_id, loss]));
  return ({ former, subject, action, resource }) => {
    if (action === 'unsuspend_account') return suspensions.get(subject ?? '');
    const entitlement_id = resource?.entitlement_id ?? null;
    const own = byAccess.get(keyOf({ account_id: former.account_id, entitlement_id }));
    const since = byAccess.get(keyOf({ account_id: subject ?? '', entitlement_id }));
    return own && { ...own, lost_by: laterOf(own.lost_by, since?.lost_by ?? null) };
  };
}

const keyOf = ({ account_id, entitlement_id }: Pick<Loss, 'account_id' | 'entitlement_id'>) =>
  `${account_id} ${entitlement_id}`;

const laterOf = (a: Loss['lost_by'], b: Loss['lost_by']) => ((b?.at ?? '') > (a?.at ?? '') ? b : a);

/** Every decision. */
const ALL = { has: () => true };

interface Asked {
  includePossible: boolean;
  items: ReadonlySet<string>;
  decided: Pick<ReadonlySet<string | null>, 'has'>;
}

function choose(wish: Wish, loss: Loss | undefined, { includePossible, items, decided }: Asked): Chosen {
  const { lost_by = null, ends_at = null, is_over = false } = loss ?? {};
  const decisions = loss?.decisions ?? [lost_by?.external_uuid ?? null];
  const { certainty } = wish.resource ?? wish.former;
  const isChosen = lost_by === null || decisions.every((id) => decided.has(id));
  const named = !is_over && items.size > 0 && keysOf(wish).some((key) => items.has(key));
  const isIncluded = (includePossible || certainty === 'certain') && isChosen && !is_over;
  return { ...wish, loss: { lost_by, ends_at }, decisions, named, included: named || isIncluded };
}

const itemKey = ({ account, slug, resource }: RestoreItem) => JSON.stringify([account, slug, resource]);

/** Names of a wish: with the account then, and the one that gets it. */
const keysOf = ({ former, target, resource }: Wish) =>
  [former.account_id, ...(target === null ? [] : [target])].map((account) =>
    itemKey({ account, slug: resource?.slug ?? null, resource: resource?.id ?? null }),
  );

function requireKnown(chosen: readonly Chosen[], { items, includeDecided }: Choice): void {
  const named = new Set(chosen.filter((one) => one.named).flatMap(keysOf));
  for (const item of items)
    if (!named.has(itemKey(item)))
      throw restoreRefusals.restore_item_unknown({
        what: item.slug === null ? 'the account' : `${item.slug}/${item.resource}`,
        account: item.account,
      });
  const decisions = new Set(chosen.flatMap((one) => one.decisions));
  const unknown = Array.isArray(includeDecided) && includeDecided.find((id) => !decisions.has(id));
  if (unknown) throw restoreRefusals.restore_decision_unknown({ id: unknown });
}

/** Two accounts of a person that no longer exist become one. */
const placeOf = ({ target, user, former, action }: Chosen) =>
  `${target ?? `${user} ${former.app_id}`} ${action}`;

const best = (same: readonly Chosen[]) => same.find(({ included }) => included) ?? same[0];

/** The task of what comes back to one account. A chosen group brings the account with it. */
function taskOf(wishes: readonly Chosen[]): RestoreTask {
  const account = best(wishes.filter(({ resource }) => resource === null));
  const first = account ?? (wishes[0] as Chosen);
  const isThere = account === undefined || account.included || wishes.some(({ named }) => named);
  const byResource = Map.groupBy(wishes, ({ resource }) => resource?.entitlement_id);
  const resources = [...byResource.values()].flatMap((same) => {
    const { resource, included, loss } = best(same) as Chosen;
    if (resource === null) return [];
    const { entitlement_id, type, slug, id, name, certainty } = resource;
    return [{ entitlement_id, type, slug, id, name, certainty, included: included && isThere, ...loss }];
  });
  const areDecided = account === undefined && resources.every(({ lost_by }) => lost_by !== null);
  return {
    app: { id: first.former.app_id, name: first.former.app_name },
    account: first.account,
    target: first.target,
    user: first.user,
    action: first.action,
    resources,
    certainty: wishes.some(({ former }) => former.certainty === 'certain') ? 'certain' : 'possible',
    included: account === undefined ? resources.some(({ included }) => included) : isThere,
    lost_by: account?.loss.lost_by ?? (areDecided ? (resources[0]?.lost_by ?? null) : null),
    ends_at: account?.loss.ends_at ?? null,
  };
}
