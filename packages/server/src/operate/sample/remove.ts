import { deletePolicy } from '#decisions/policies/policies.ts';
import { deleteCampaign } from '#decisions/reviews/campaigns/campaigns.ts';
import { findOrganization, findSample } from '#directory/access/organization-facts.ts';
import { endSample } from '#directory/access/sample.ts';
import { changePerson, deletePerson } from '#directory/people/people.ts';
import { archive } from '#inventory/apps/admin.ts';
import { transaction } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import { type Call, requireAllApps } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import { sampleEvent } from './events.ts';
import { deleteSample } from './queries/sample.ts';

interface Removed {
  apps: number;
  people: number;
  people_kept: number;
}

/**
 * Removes the sample company: its policy, its review, its apps with everything in them, and its people. People whom something else
 * names, such as a request for another app, stay as deactivated. Without a sample company, nothing changes. The next call continues
 * an interrupted removal.
 */
export async function removeSample(call: Call): Promise<Removed> {
  requireAllApps(call.principal, 'the sample company');
  const sample = await findSample(call);
  if (sample === null) return { apps: 0, people: 0, people_kept: 0 };
  const { policy, review } = sample;
  if (policy !== undefined) await unlessGone(deletePolicy(call, policy, true));
  if (review !== undefined) await unlessGone(deleteCampaign(call, review));
  // This ends what is open for them: syncs, tasks, requests.
  for (const id of sample.apps) await unlessGone(archive(call, id));
  await transaction(call, (tx) => deleteSample(tx, sample.apps, review));
  let kept = 0;
  // Those who report to somebody go before their manager.
  for (const id of sample.people.toReversed()) if (await isKept(call, id)) kept += 1;
  const removed = { apps: sample.apps.length, people: sample.people.length - kept, people_kept: kept };
  const { slug, name } = await findOrganization(call);
  await transaction(call, async (tx) => {
    await endSample(tx);
    await recordEvents(tx, [sampleEvent('organization.sample_removed', tx, { slug, name, ...removed })]);
  });
  return removed;
}

/** Deletes a person, or deactivates one whom the history names. Returns whether they stay. */
async function isKept(call: Call, id: string): Promise<boolean> {
  try {
    await deletePerson(call, id);
    return false;
  } catch (error) {
    if (isGone(error)) return false;
    if (!(error instanceof DomainError && error.code === 'conflict')) throw error;
    await changePerson(call, id, { status: 'deactivated' }, { reason: 'The sample company was removed.' });
    return true;
  }
}

const isGone = (error: unknown) => error instanceof DomainError && error.code === 'not_found';

/** An earlier call, or somebody else, may have removed it already. */
const unlessGone = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
