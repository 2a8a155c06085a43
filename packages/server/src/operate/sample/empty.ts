import { listPolicies } from '#decisions/policies/policies.ts';
import { listCampaigns } from '#decisions/reviews/campaigns/facts.ts';
import type { Sample } from '#directory/access/organization-facts.ts';
import { listPeople } from '#directory/people/people.ts';
import { isSampleEmail } from '#directory/people/sample-emails.ts';
import { listAdminApps } from '#inventory/apps/admin.ts';
import type { CallTx } from '#kit/identity.ts';
import { findRealApps } from './queries/real.ts';
import { sampleRefusals } from './sentences.ts';

/** More than the sample company has of anything. */
const SOME = { limit: 100, offset: 0 };

/**
 * Throws 409 if the organization has apps, policies, reviews or members that are not part of the sample company: it would mix with them. An
 * interrupted creation also cannot continue if a part is missing or an app has become real.
 */
export async function requireEmpty(tx: CallTx, sample: Sample | null): Promise<void> {
  const things = [
    ...idsOf(await listAdminApps(tx, {}, SOME)),
    ...idsOf(await listPolicies(tx, {}, SOME)),
    ...idsOf(await listCampaigns(tx, SOME)),
  ];
  const { results, count } = await listPeople(tx, { role: 'member' }, SOME);
  // People of an earlier sample company whom history names stay as deactivated.
  const members = results.filter(({ email, status }) => status === 'active' || !isSampleEmail(email));
  const parts = sample === null ? [] : partsOf(sample);
  const known = new Set([...parts, ...(sample?.people ?? [])]);
  const isEmpty = [...things, ...members.map(({ id }) => id)].every((id) => known.has(id));
  if (sample === null) {
    if (!isEmpty || count > results.length) throw sampleRefusals.organization_not_empty();
    return;
  }
  const isWhole = parts.every((id) => things.includes(id));
  if (!isEmpty || !isWhole || (await findRealApps(tx, sample)).length > 0)
    throw sampleRefusals.sample_changed();
}

const idsOf = ({ results }: { results: { id: string }[] }) => results.map(({ id }) => id);

const partsOf = ({ apps, policy, review }: Sample): string[] =>
  [...apps.map(({ id }) => id), policy, review].filter((id) => id !== null);
