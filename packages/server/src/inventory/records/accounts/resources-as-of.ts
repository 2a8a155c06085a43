import { type Cell, csvOf } from '#kit/csv.ts';
import type { Call } from '#kit/identity.ts';
import type { Page } from '#kit/pages.ts';
import { recordExport } from '#log/events/exports.ts';
import { coverageOf, type Moment } from '../history/moment.ts';
import { recordRefusals } from '../sentences.ts';
import * as queries from './queries/resources-as-of.ts';
import type { ResourceFilter } from './resource-filters.ts';

interface Shown extends Omit<queries.ResourceAsOf, 'members' | 'members_more'> {
  is_full: null;
  members: number | null;
  members_more?: boolean;
}

/** Lists the groups and licenses of apps, or of all (null), as they were at a moment. Members do not see how many accounts held them. */
export async function listResourcesAsOf(
  call: Call,
  apps: string[] | null,
  { active, risk, owner, hidden, ...filter }: ResourceFilter & queries.DatedFilter,
  moment: Moment,
  page: Page,
) {
  if (risk !== undefined || owner !== undefined) throw recordRefusals.risk_with_as_of();
  if (hidden) throw recordRefusals.hidden_with_as_of();
  if (active === false) throw recordRefusals.inactive_with_as_of();
  const { count, results } = await queries.listResourcesAsOf(call, apps, filter, moment, page);
  const isMember = call.principal.role === 'member';
  const shown = results.map(
    ({ members_more, ...one }): Shown => ({
      ...one,
      is_full: null,
      ...(isMember ? { members: null, hidden_members: null, hidden: [] } : { members_more }),
    }),
  );
  return { count, results: shown, coverage: await coverageOf(call, apps, moment) };
}

const SLICE = 1000;

/** Yields all groups and licenses of an app at a moment as CSV text, after recording the export. */
export async function exportResourcesAsOf(
  call: Call,
  app: { id: string; name: string },
  filter: ResourceFilter,
  moment: Moment,
): Promise<AsyncGenerator<string>> {
  const read = (offset: number) =>
    listResourcesAsOf(call, [app.id], filter, moment, { limit: SLICE, offset });
  const first = await read(0);
  await recordExport(call, 'resources_as_of', app.id);
  async function* slices() {
    let page = first;
    for (let offset = SLICE; ; offset += SLICE) {
      yield page.results.map((resource) => ({ app: app.name, ...resource }));
      if (offset >= page.count) return;
      page = await read(offset);
    }
  }
  return csvOf(COLUMNS, slices());
}

type Line = Awaited<ReturnType<typeof listResourcesAsOf>>['results'][number] & { app: string };

const COLUMNS: Record<string, (line: Line) => Cell> = {
  app: ({ app }) => app,
  type: ({ type }) => type,
  resource_type: ({ slug }) => slug,
  resource_id: ({ id }) => id,
  resource_name: ({ name }) => name,
  members: ({ members, members_more }) => (members_more === true ? `more than ${members}` : members),
  certainty: ({ certainty }) => certainty,
  not_before: ({ bounds }) => bounds.not_before,
  seen_from: ({ bounds }) => bounds.seen_from,
  seen_until: ({ bounds }) => bounds.seen_until,
  gone_by: ({ bounds }) => bounds.gone_by,
  hidden_members: ({ hidden_members }) => hidden_members,
};
