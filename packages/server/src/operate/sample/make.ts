import { createPolicy } from '#decisions/policies/policies.ts';
import { createCampaign } from '#decisions/reviews/campaigns/campaigns.ts';
import { findOrganization, type Sample } from '#directory/access/organization-facts.ts';
import { busy, type Step, workOnSample } from '#directory/access/sample.ts';
import { createPerson, listPeople } from '#directory/people/people.ts';
import { SAMPLE_DOMAIN } from '#directory/people/sample-emails.ts';
import { changeSettings } from '#inventory/apps/admin.ts';
import { appOf, createApp } from '#inventory/apps/apps.ts';
import { registerResourceType } from '#inventory/apps/resource-types.ts';
import { completeSession } from '#inventory/records/sync/complete.ts';
import { pagePusher } from '#inventory/records/sync/push.ts';
import { startSession } from '#inventory/records/sync/start.ts';
import type { Database } from '#kit/database.ts';
import { type Call, type CallTx, requireAllApps } from '#kit/identity.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { recordEvents } from '#log/events/record.ts';
import { fulfillByDefault } from '#work/fulfillment/settings.ts';
import * as company from './company.ts';
import { requireEmpty } from './empty.ts';
import { sampleEvent } from './events.ts';

interface Tools {
  database: Database;
  jobs: Jobs;
}

const NOTHING: Sample = {
  status: 'creating',
  lease: null,
  suffix: '',
  people: [],
  apps: [],
  sessions: [],
  policy: null,
  review: null,
  removed: { apps: 0, apps_archived: 0, people: 0, people_deactivated: 0, people_kept: 0 },
};

/**
 * Creates the sample company, through the rules that create real things. Each part is stored by its id in the transaction that creates it, so
 * the next call continues an interrupted creation. Repeating the call changes nothing. Throws 409 if the organization is not empty.
 */
export async function makeSample(call: Call, tools: Tools): Promise<void> {
  requireAllApps(call.principal, 'the sample company');
  await workOnSample(call, begin, async (step) => {
    await step(makePeople);
    for (const [at, given] of company.APPS.entries()) {
      await step((tx, sample) => makeApp(tx, sample, at, given));
      await syncApp(call, tools, step, at, given);
    }
    await step(makePolicy);
    await step(makeReview);
    await step(complete);
  });
}

async function begin(tx: CallTx, sample: Sample | null): Promise<Sample | undefined> {
  if (sample?.status === 'complete') return undefined;
  if (sample?.status === 'removing') throw busy(sample);
  await requireEmpty(tx, sample);
  return sample ?? NOTHING;
}

async function complete(tx: CallTx, sample: Sample): Promise<Sample> {
  const { slug, name } = await findOrganization(tx);
  const counts = { apps: sample.apps.length, people: sample.people.length };
  await recordEvents(tx, [sampleEvent('organization.sample_created', tx, { slug, name, ...counts })]);
  return { ...sample, status: 'complete' };
}

async function makePeople(tx: CallTx, sample: Sample): Promise<Sample> {
  if (sample.people.length > 0) return sample;
  const { results } = await listPeople(tx, { q: SAMPLE_DOMAIN }, { limit: 1000, offset: 0 });
  const suffix = company.freeSuffix(results.map(({ email }) => email));
  const ids = new Map<string, string>();
  for (const { name, manager, profile } of company.samplePeople(suffix)) {
    const person = await createPerson(tx, { ...profile, manager: ids.get(manager) ?? null });
    ids.set(name, person.id);
  }
  return { ...sample, suffix, people: [...ids.values()] };
}

const pagesOf = (given: company.SampleApp, suffix: string) =>
  [
    { slug: 'group', name: 'Groups', type: 'group', records: company.groupRecords(given) },
    { slug: 'license', name: 'Licenses', type: 'license', records: company.licenseRecords(given) },
    {
      slug: 'account',
      name: 'Accounts',
      type: 'account',
      records: company.accountRecords(given, Date.now(), suffix),
    },
  ] as const;

/** Creates an app with its resource types. The caller owns it, and carries out its tasks. */
async function makeApp(tx: CallTx, sample: Sample, at: number, given: company.SampleApp): Promise<Sample> {
  if (sample.apps[at] !== undefined) return sample;
  const app = await createApp(tx, { name: given.name, cloneFrom: null });
  for (const { slug, name, type } of pagesOf(given, sample.suffix))
    await registerResourceType(tx, app, { slug, name, type });
  await fulfillByDefault(tx, app);
  await changeSettings(tx, app.id, { owner: tx.principal.userId });
  return { ...sample, apps: [...sample.apps, { id: app.id, synced: false }] };
}

/** Syncs an app once. A sync that was interrupted begins again. */
async function syncApp(
  call: Call,
  { database, jobs }: Tools,
  step: Step,
  at: number,
  given: company.SampleApp,
): Promise<void> {
  let sessionId: string | undefined;
  const begun = await step(async (tx, sample) => {
    const { id, synced } = appAt(sample, at);
    sessionId = synced ? undefined : await startSession(tx, await appOf(tx, id), tx.cause);
    return sessionId === undefined ? sample : { ...sample, sessions: [...sample.sessions, sessionId] };
  });
  if (begun === null || sessionId === undefined) return;
  const session = { appId: appAt(begun, at).id, sessionId };
  const pusher = pagePusher(database);
  for (const { slug, records } of pagesOf(given, begun.suffix))
    if (records.length > 0) await pusher.push(call.principal, { ...session, slug }, { records });
  await step(async (tx, sample) => {
    const app = appAt(sample, at);
    await completeSession(jobs, tx, await appOf(tx, app.id), session.sessionId);
    return { ...sample, apps: sample.apps.with(at, { ...app, synced: true }) };
  });
}

const appAt = ({ apps }: Sample, at: number) => apps[at] as Sample['apps'][number];

/** A policy that somebody can look at, and that does nothing until somebody enables it. */
async function makePolicy(tx: CallTx, sample: Sample): Promise<Sample> {
  if (sample.policy !== null) return sample;
  const { id } = await createPolicy(tx, {
    name: company.POLICY,
    trigger: 'user.deactivated',
    offset_days: null,
    condition: 'true',
    effects: [{ do: 'delete', app: 'all', memberships: {}, assignments: {} }],
    delay: null,
    recheck: true,
    enabled: false,
  });
  return { ...sample, policy: id };
}

/** A review that opens when somebody starts it. The caller reviews: the people of the sample cannot sign in. */
async function makeReview(tx: CallTx, sample: Sample): Promise<Sample> {
  if (sample.review !== null) return sample;
  const { id } = await createCampaign(tx, {
    name: company.REVIEW,
    scope: { apps: sample.apps.map((app) => app.id), users: null, include: ['memberships'], risks: ['high'] },
    reviewer: [tx.principal.userId],
    fallback_reviewers: null,
    frequency: 'once',
    starts_at: null,
    due_days: 14,
    on_no_response: 'keep',
    revoke_account_by: 'suspend',
    cooling_off_hours: 0,
  });
  return { ...sample, review: id };
}
