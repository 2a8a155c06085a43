import { deletePolicy } from '#decisions/policies/policies.ts';
import { deleteCampaign } from '#decisions/reviews/campaigns/campaigns.ts';
import { findOrganization, type RemovedParts, type Sample } from '#directory/access/organization-facts.ts';
import { type Step, workOnSample } from '#directory/access/sample.ts';
import { changePerson, deletePerson } from '#directory/people/people.ts';
import { archive } from '#inventory/apps/admin.ts';
import { lockApp } from '#inventory/apps/facts.ts';
import { isMissingReference } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import { type Call, type CallTx, requireAllApps } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import { sampleEvent } from './events.ts';
import { findRealApps, isRealPerson, reviewsOthers } from './queries/real.ts';
import { deleteSample } from './queries/sample.ts';

/**
 * Removes the sample company: its policy, its review, its apps with everything in them, and its people. Apps that have become real are
 * archived, and people who have become real stay (D92). People whom history names stay as deactivated. Without a sample company, nothing
 * changes. The next call continues an interrupted removal.
 */
export async function removeSample(call: Call): Promise<RemovedParts> {
  requireAllApps(call.principal, 'the sample company');
  let removed: RemovedParts = { apps: 0, apps_archived: 0, people: 0, people_deactivated: 0, people_kept: 0 };
  await workOnSample(call, begin, async (step) => {
    await step(removePolicy);
    await step(archiveApps);
    const rest = await step(removeApps);
    // Those who report to somebody go before their manager.
    for (const id of rest?.people.toReversed() ?? []) await removePerson(step, id);
    await step(async (tx, sample) => {
      removed = sample.removed;
      const { slug, name } = await findOrganization(tx);
      await recordEvents(tx, [sampleEvent('organization.sample_removed', tx, { slug, name, ...removed })]);
      return null;
    });
  });
  return removed;
}

const begin = async (_: CallTx, sample: Sample | null): Promise<Sample | undefined> =>
  sample === null ? undefined : { ...sample, status: 'removing' };

async function removePolicy(tx: CallTx, sample: Sample): Promise<Sample> {
  if (sample.policy !== null) await unlessGone(deletePolicy(tx, sample.policy, true));
  return { ...sample, policy: null };
}

/** Archives the apps, which ends what is open for them: syncs, tasks, requests. Those that have become real then are done. */
async function archiveApps(tx: CallTx, sample: Sample): Promise<Sample> {
  for (const id of sample.apps.map((app) => app.id).sort()) await lockApp(tx, id);
  const real = await findRealApps(tx, sample);
  if (sample.review !== null) await unlessGone(deleteCampaign(tx, sample.review));
  for (const { id } of sample.apps) await unlessGone(archive(tx, id));
  const apps = sample.apps.filter(({ id }) => !real.includes(id));
  return { ...sample, apps, removed: adding(sample, 'apps_archived', real.length) };
}

/** Nothing else changes the apps any more. The review stays if it is evidence about others. */
async function removeApps(tx: CallTx, sample: Sample): Promise<Sample> {
  const apps = sample.apps.map(({ id }) => id);
  const { review } = sample;
  const stays = review === null || (await reviewsOthers(tx, review, apps));
  await deleteSample(tx, apps, stays ? null : review);
  return { ...sample, apps: [], review: null, removed: adding(sample, 'apps', apps.length) };
}

/** Deletes a person, or deactivates one whom history names. Somebody who has become real stays. */
async function removePerson(step: Step, id: string): Promise<void> {
  const end = (work: (tx: CallTx) => Promise<keyof RemovedParts | null>) =>
    step(async (tx, sample) => {
      const how = await work(tx);
      const people = sample.people.filter((one) => one !== id);
      return { ...sample, people, removed: how === null ? sample.removed : adding(sample, how, 1) };
    });
  try {
    await end(async (tx) => {
      if (await isRealPerson(tx, id)) return 'people_kept';
      return (await unlessGone(deletePerson(tx, id))) ? 'people' : null;
    });
  } catch (error) {
    // Some references to a person are only found by the commit.
    if (!isMissingReference(error) && !(error instanceof DomainError && error.code === 'conflict'))
      throw error;
    await end(async (tx) => {
      await changePerson(tx, id, { status: 'deactivated' }, { reason: 'The sample company was removed.' });
      return 'people_deactivated';
    });
  }
}

const adding = ({ removed }: Sample, what: keyof RemovedParts, count: number): RemovedParts => ({
  ...removed,
  [what]: removed[what] + count,
});

/** An earlier call, or somebody else, may have removed it already. Returns false then. */
const unlessGone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof DomainError && error.code === 'not_found') return false;
      throw error;
    },
  );
