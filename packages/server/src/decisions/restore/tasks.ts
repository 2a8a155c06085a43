import type { Change, Decision } from '#proposals/change.ts';
import type { RestorePlan } from './plan.ts';
import type { PlannedTask, RestoreAction, RestoreResult, RestoreTask } from './schemas.ts';

const includedIn = ({ resources }: RestoreTask) =>
  resources.filter(({ included }) => included).sort((a, b) => (a.entitlement_id < b.entitlement_id ? -1 : 1));

/** The change that brings an item back, with the ends that its access had. */
export function changeOf(item: RestoreTask, decision: Decision): Change {
  const { app, target, user, action, ends_at } = item;
  const add = includedIn(item);
  const ends = [{ entitlement_id: null, ends_at }, ...add];
  return {
    ...{ decision, action, app, add, remove: [], executeAfter: null },
    user: user === null ? null : { id: user },
    account: target === null ? null : { id: target },
    until: new Map(
      ends.flatMap(({ entitlement_id, ends_at: at }) =>
        at === null ? [] : [[entitlement_id, new Date(at)]],
      ),
    ),
  };
}

/** The tasks of the included items, in an order that two plans can be compared in. */
export const tasksOf = ({ items }: RestorePlan): PlannedTask[] =>
  items
    .filter(({ included }) => included)
    .map((item) => {
      const { app, target, user, action, ends_at } = item;
      const added = includedIn(item);
      const all = [{ entitlement_id: null, ends_at }, ...added];
      return {
        app: app.id,
        account: target,
        user,
        action,
        add: added.map(({ entitlement_id }) => entitlement_id),
        ends: all.flatMap(({ entitlement_id: resource, ends_at: at }) =>
          at === null ? [] : [{ resource, at }],
        ),
      };
    });

const isDecided = ({ lost_by }: { lost_by: object | null }) => lost_by !== null;

/** The number of accounts, groups and licenses that come back although decisions took them away. */
export const decidedIn = ({ items }: RestorePlan): number =>
  items
    .filter(({ included }) => included)
    .flatMap(({ resources, ...item }) => [
      ...(item.action === 'update_account' ? [] : [item]),
      ...resources.filter(({ included }) => included),
    ])
    .filter(isDecided).length;

export function countsOf({ items, skipped }: RestorePlan): RestoreResult['counts'] {
  const included = items.filter((item) => item.included);
  const resources = included.flatMap((item) => item.resources.filter((one) => one.included));
  const of = (action: RestoreAction) => included.filter((item) => item.action === action).length;
  const withType = (type: string) => resources.filter((one) => one.type === type).length;
  const [accounts, others] = [items, items.flatMap((item) => item.resources)].map((all) =>
    all.filter((one) => !one.included),
  ) as [RestorePlan['items'], RestorePlan['items'][number]['resources']];
  return {
    create_account: of('create_account'),
    unsuspend_account: of('unsuspend_account'),
    update_account: of('update_account'),
    groups: withType('group'),
    licenses: withType('license'),
    left_out: [...accounts, ...others].filter((one) => !isDecided(one)).length,
    decided: [...accounts.filter(({ action }) => action !== 'update_account'), ...others].filter(isDecided)
      .length,
    skipped: skipped.length,
  };
}
