import { findIdentity } from '#kit/identity.ts';
import { administrators, type Handler, type Notices, toAll } from '#log/notices/notices.ts';
import type { StopReason } from './schemas.ts';

/** Only owners, administrators and auditors read queries. Members see nothing about the organization. */
const ABOUT = { type: 'organization', id: null } as const;

const ran: Handler = async ({ event, text }) => {
  const { count, previous, recipients } = event.payload as {
    count: number;
    previous: number | null;
    recipients: string[];
  };
  return [
    {
      kind: 'query_results',
      key: `query-results:${event.id}`,
      to: toAll(recipients),
      title: `Query results: ${text('name')}`,
      body: `${rows(count)}${compared(count, previous)}. Open the query to see them or to download them as CSV.`,
      path: `/queries/${text('query_id')}`,
      about: ABOUT,
    },
  ];
};

const rows = (count: number) => (count === 1 ? 'It found 1 row' : `It found ${count} rows`);

function compared(count: number, previous: number | null): string {
  if (previous === null) return '';
  if (count === previous) return ', as many as last time';
  return `, ${Math.abs(count - previous)} ${count > previous ? 'more' : 'fewer'} than last time`;
}

const REASONS: Record<StopReason, string> = {
  owner_left: 'Its owner has left. Save a copy to schedule it again.',
  owner_may_not: 'Its owner may no longer read it. Save a copy to schedule it again.',
  no_recipients: 'No recipient may read it any longer. Choose others to schedule it again.',
  query_invalid: 'A field in this query no longer exists. Change the query to schedule it again.',
  too_slow: 'The query takes too long. Add conditions that fewer rows meet to schedule it again.',
  failed: 'The query failed. Change its conditions to schedule it again.',
};

const stopped: Handler = async ({ org, event, text }) => {
  const owner = await findIdentity(org, text('owner'));
  return [
    {
      kind: 'query_stopped',
      key: `query-stopped:${event.id}`,
      to: [...toAll([owner?.status === 'active' ? owner.id : null]), ...(await administrators(org))],
      title: `The schedule of the query ${text('name')} was stopped`,
      body: REASONS[text('reason') as StopReason],
      path: `/queries/${text('query_id')}`,
      about: ABOUT,
    },
  ];
};

export const queryNotices: Notices = {
  handlers: { 'query.ran': ran, 'query.stopped': stopped },
};
