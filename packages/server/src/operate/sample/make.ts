import { createPolicy, listPolicies } from '#decisions/policies/policies.ts';
import { createCampaign } from '#decisions/reviews/campaigns/campaigns.ts';
import { listCampaigns } from '#decisions/reviews/campaigns/facts.ts';
import { findOrganization, type Sample } from '#directory/access/organization-facts.ts';
import { beginSample, saveSample } from '#directory/access/sample.ts';
import { importRows } from '#directory/people/import.ts';
import { listPeople } from '#directory/people/people.ts';
import { SAMPLE_DOMAIN } from '#directory/people/sample-emails.ts';
import { changeSettings, listAdminApps } from '#inventory/apps/admin.ts';
import { appOf, createApp } from '#inventory/apps/apps.ts';
import { listResourceTypes, registerResourceType } from '#inventory/apps/resource-types.ts';
import { completeSession } from '#inventory/records/sync/complete.ts';
import { pagePusher } from '#inventory/records/sync/push.ts';
import { startSession } from '#inventory/records/sync/start.ts';
import { type Database, transaction } from '#kit/database.ts';
import { type Call, requireAllApps } from '#kit/identity.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { recordEvents } from '#log/events/record.ts';
import { fulfillByDefault } from '#work/fulfillment/settings.ts';
import * as company from './company.ts';
import { sampleEvent } from './events.ts';
import { sampleRefusals } from './sentences.ts';

interface Tools {
  database: Database;
  jobs: Jobs;
}

const ALL = { limit: 200, offset: 0 };

/**
 * Creates the sample company, through the rules that create real things. Repeating the call changes nothing, and continues after an
 * interruption: what has the name of a part of the sample is that part, since the organization was empty. Throws 409 if it is not.
 */
export async function makeSample(call: Call, tools: Tools): Promise<void> {
  requireAllApps(call.principal, 'the sample company');
  const begun = await beginSample(call, requireEmpty);
  if (begun === undefined) return;
  let sample = begun;
  const save = async (part: Partial<Sample>) => {
    sample = { ...sample, ...part };
    await saveSample(call, sample);
  };
  try {
    await save({ people: await makePeople(call) });
    for (const app of company.APPS) {
      const id = await findOrCreateApp(call, app.name);
      await save({ apps: [...new Set([...sample.apps, id])] });
      await fillApp(call, tools, id, app);
    }
    await save({ policy: await makePolicy(call) });
    await save({ review: await makeReview(call, sample.apps) });
    await complete(call, sample);
  } catch (error) {
    // The next call can continue right away.
    await save({ began_at: new Date(0).toISOString() });
    throw error;
  }
}

async function complete(call: Call, sample: Sample): Promise<void> {
  const { slug, name } = await findOrganization(call);
  await transaction(call, async (tx) => {
    await saveSample(tx, { ...sample, complete: true });
    const counts = { apps: sample.apps.length, people: sample.people.length };
    await recordEvents(tx, [sampleEvent('organization.sample_created', tx, { slug, name, ...counts })]);
  });
}

/** Throws 409 if the organization has apps, policies, reviews or members: the sample would mix with them. */
async function requireEmpty(call: Call): Promise<void> {
  const one = { limit: 1, offset: 0 };
  const things = [
    await listAdminApps(call, {}, one),
    await listPeople(call, { role: 'member', status: 'active' }, one),
    await listPolicies(call, {}, one),
    await listCampaigns(call, one),
  ];
  if (things.some(({ count }) => count > 0)) throw sampleRefusals.organization_not_empty();
}

async function makePeople(call: Call): Promise<string[]> {
  const columns = company.PEOPLE_COLUMNS;
  const rows = company.peopleRows().map((values, at) => ({
    line: at + 2,
    cells: new Map(columns.map((column, index) => [column, values[index] ?? ''])),
  }));
  await importRows(call, { columns, rows }, { dryRun: false, match: 'email' });
  const { results } = await listPeople(call, { q: SAMPLE_DOMAIN }, ALL);
  const emails = new Set(rows.map(({ cells }) => cells.get('email')));
  return results.filter(({ email }) => emails.has(email)).map(({ id }) => id);
}

async function findOrCreateApp(call: Call, name: string): Promise<string> {
  const { results } = await listAdminApps(call, { q: name }, ALL);
  const found = results.find((app) => app.name === name);
  return found?.id ?? (await createApp(call, { name, cloneFrom: null })).id;
}

/** Syncs an app once. The caller owns it, and carries out its tasks. */
async function fillApp(call: Call, { database, jobs }: Tools, appId: string, given: company.SampleApp) {
  const app = await appOf(call, appId);
  if (app.last_synced_at !== null) return;
  const pages = [
    { slug: 'group', name: 'Groups', type: 'group', records: company.groupRecords(given) },
    { slug: 'license', name: 'Licenses', type: 'license', records: company.licenseRecords(given) },
    {
      slug: 'account',
      name: 'Accounts',
      type: 'account',
      records: company.accountRecords(given, Date.now()),
    },
  ] as const;
  const { results: types } = await listResourceTypes(call, app, ALL);
  for (const { slug, name, type } of pages)
    if (!types.some((one) => one.slug === slug)) await registerResourceType(call, app, { slug, name, type });
  await fulfillByDefault(call, app);
  await changeSettings(call, app.id, { owner: call.principal.userId });
  const sessionId = await startSession(call, app, call.cause);
  const pusher = pagePusher(database);
  for (const { slug, records } of pages)
    if (records.length > 0) await pusher.push(call.principal, { appId, sessionId, slug }, { records });
  await completeSession(jobs, call, app, sessionId);
}

/** A policy that somebody can look at, and that does nothing until somebody enables it. */
async function makePolicy(call: Call): Promise<string> {
  const { results } = await listPolicies(call, {}, ALL);
  const found = results.find(({ name }) => name === company.POLICY);
  if (found !== undefined) return found.id;
  const { id } = await createPolicy(call, {
    name: company.POLICY,
    trigger: 'user.deactivated',
    offset_days: null,
    condition: 'true',
    effects: [{ do: 'delete', app: 'all', memberships: {}, assignments: {} }],
    delay: null,
    recheck: true,
    enabled: false,
  });
  return id;
}

/** A review that opens when somebody starts it. The caller reviews: the people of the sample cannot sign in. */
async function makeReview(call: Call, apps: string[]): Promise<string> {
  const { results } = await listCampaigns(call, ALL);
  const found = results.find(({ settings }) => settings.name === company.REVIEW);
  if (found !== undefined) return found.id;
  const { id } = await createCampaign(call, {
    name: company.REVIEW,
    scope: { apps, users: null, include: ['memberships'], risks: ['high'] },
    reviewer: [call.principal.userId],
    fallback_reviewers: null,
    frequency: 'once',
    starts_at: null,
    due_days: 14,
    on_no_response: 'keep',
    revoke_account_by: 'suspend',
    cooling_off_hours: 0,
  });
  return id;
}
