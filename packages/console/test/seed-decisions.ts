import { type Api, until } from './api.ts';
import { MARKUP, PEOPLE, STAFF } from './seed-company.ts';
import type { Seeded } from './seeded.ts';

/**
 * Creates requests in each state. The administrator files them for others: the owner created the sign-in links of the approvers, who
 * can then not approve what the owner files (D70).
 */
export async function askAndDecide(
  { crm, code }: Seeded['apps'],
  people: Record<string, string>,
  { admin, member, manager }: Record<'admin' | 'member' | 'manager', Api>,
): Promise<Seeded['tickets']> {
  const ask = async (who: Api, email: string, ticket: object) =>
    (
      await who.post('/api/tickets/', {
        user: people[email],
        ...(who === admin ? { requester: people[email] } : {}),
        type: 'NEW_ACCESS',
        ...ticket,
      })
    ).external_uuid as string;
  const engineers = PEOPLE.filter(
    ({ department, email }) =>
      department === 'Engineering' && email !== STAFF.manager && email !== STAFF.member,
  ).map(({ email }) => email);
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();

  const mine = await ask(member, STAFF.member, {
    app: crm,
    memberships: { group: ['support'] },
    initial_comment: 'I take over the escalations of the Hamburg customers from Monday.',
  });
  const comments = [
    'On call for the billing import, needs to see the failing records.',
    'Two weeks of shadowing with Sales Engineering.',
    'Migration of the customer history to the warehouse.',
    `Please ${MARKUP}`,
  ];
  let pending = '';
  for (const [at, initial_comment] of comments.entries()) {
    pending = await ask(admin, engineers[at] ?? '', {
      app: crm,
      memberships: { group: [at % 2 === 0 ? 'support' : 'sales-emea'] },
      assignments: { license: ['viewer'] },
      ...(at % 2 === 0 ? { end_time: inAMonth } : {}),
      initial_comment,
    });
  }
  const approved = await ask(admin, engineers[5] ?? '', {
    app: crm,
    memberships: { group: ['support'] },
    end_time: inAMonth,
    initial_comment: 'Support rotation of this month.',
  });
  await manager.post(`/api/tickets/${approved}/approve/`, { comment: 'Agreed with Support.' });
  const denied = await ask(admin, engineers[6] ?? '', {
    app: crm,
    memberships: { group: ['exports'] },
    initial_comment: 'I would like to download everything.',
  });
  await manager.post(`/api/tickets/${denied}/deny/`, {
    comment: 'Use the warehouse instead; exports are for Sales.',
  });
  const canceled = await ask(member, STAFF.member, {
    app: code,
    type: 'MODIFY_ACCESS',
    memberships: { group: ['owners'] },
    initial_comment: 'To rename a repository.',
  });
  await member.post(`/api/tickets/${canceled}/cancel/`, { comment: 'Somebody else did it.' });
  await ask(member, STAFF.member, {
    app: code,
    type: 'MODIFY_ACCESS',
    memberships: { group: ['web'] },
    initial_comment: 'The checkout rewrite moves to my team.',
  });
  return { pending, approved, denied, canceled, mine };
}

/** Creates an open, a closed and a planned review. */
export async function review(
  api: Api,
  { crm, code, directory }: Seeded['apps'],
  people: Record<string, string>,
  { admin, manager }: Record<'admin' | 'manager', Api>,
): Promise<Pick<Seeded, 'reviews' | 'cycles'>> {
  const add = async (campaign: object) => (await api.post('/api/reviews/', campaign)).external_uuid as string;
  const start = async (campaign: string) => {
    const { external_uuid } = await api.post(`/api/reviews/${campaign}/start/`);
    await until(
      () => api.get(`/api/reviews/cycles/${external_uuid}/`),
      ({ status }) => status === 'in_progress',
    );
    return external_uuid as string;
  };
  const itemsOf = async (cycle: string) =>
    (await api.get(`/api/reviews/cycles/${cycle}/items/?limit=200`)).results as { id: string }[];
  const decide = (who: Api, cycle: string, items: { id: string }[], decision: string, comment: string) =>
    who.post(`/api/reviews/cycles/${cycle}/decisions/`, {
      items: items.map(({ id }) => id),
      decision,
      comment,
    });

  const closed = await add({
    name: 'Owners of Code Hosting',
    scope: { apps: [code], include: ['memberships'], users: "user.attributes.department == 'Engineering'" },
    reviewer: [people[STAFF.admin]],
    cooling_off_hours: 0,
  });
  const done = await start(closed);
  const all = await itemsOf(done);
  await decide(admin, done, all.slice(0, 2), 'revoke', 'Left the team in spring.');
  await decide(admin, done, all.slice(2), 'keep', 'Works on it every week.');

  const open = await add({
    name: 'Quarterly review of Engineering',
    scope: { apps: [directory, code], users: "user.attributes.department == 'Engineering'" },
    reviewer: 'manager',
    frequency: 'quarterly',
    starts_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    due_days: 21,
    on_no_response: 'revoke',
  });
  const cycle = await start(open);
  const mine = (await manager.get(`/api/reviews/cycles/${cycle}/items/?mine=true&limit=200`)).results as {
    id: string;
  }[];
  await decide(manager, cycle, mine.slice(0, 9), 'keep', 'Needed for the current project.');
  await decide(manager, cycle, mine.slice(9, 11), 'revoke', 'Moved to another team.');

  const planned = await add({
    name: 'Yearly review of CRM licenses',
    scope: { apps: [crm], include: ['assignments'] },
    reviewer: 'app_owner',
    frequency: 'annually',
    starts_at: new Date(Date.now() + 14 * 86_400_000).toISOString(),
  });
  return { reviews: { open, closed, planned }, cycles: { open: cycle, closed: done } };
}
