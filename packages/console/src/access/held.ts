import { t } from '@lingui/core/macro';
import type { components } from '../api/schema.ts';
import { keyOf } from './chosen.ts';

type Account = Pick<
  components['schemas']['Account'],
  'external_uuid' | 'app' | 'memberships' | 'assignments'
>;

/** A group or license of an account. */
export type Held = components['schemas']['AccountEntitlement'] & {
  slug: string;
  type: 'group' | 'license';
  account: Account;
};

/** Lists the groups and licenses of an account, groups first. */
export const heldBy = (account: Account): Held[] =>
  [['group', account.memberships] as const, ['license', account.assignments] as const].flatMap(
    ([type, all]) =>
      Object.entries(all).flatMap(([slug, refs]) => refs.map((ref) => ({ ...ref, slug, type, account }))),
  );

export const heldKey = (held: Held) => `${held.account.external_uuid}/${keyOf(held)}`;

/** "Group", or "Group (role)" if the app uses its own resource type. */
export function typeWords({ type, slug }: Pick<Held, 'type' | 'slug'>): string {
  const word = type === 'license' ? t`License` : t`Group`;
  return slug === type ? word : `${word} (${slug})`;
}

/** Returns a group or license as `Why` takes it. */
export const whyHeld = ({ account, slug, id, name, granted_at, ...reasons }: Held) => ({
  ...reasons,
  name: name || id,
  account: account.external_uuid,
  appId: account.app.external_uuid,
  held: { slug, id },
  since: granted_at,
});
