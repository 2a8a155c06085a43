import { sql } from '#kit/sql.ts';
import type { Answer } from './app.ts';
import { addPersonWithKey } from './people.ts';
import { openProvisioningTest, type ProvisioningTest } from './provisioning.ts';

export interface Somebody {
  id: string;
  email: string;
  key: string;
}

/** A provisioning test with people who request and decide. `owen` owns the app, `grace` is Ada's manager. */
export interface RequestsTest extends ProvisioningTest {
  ada: Somebody;
  grace: Somebody;
  owen: Somebody;
  /** Submits a request, by default for a new person. Returns the reply. */
  ask(body?: object, by?: { key: string }): Promise<Answer>;
  /** Approves, denies or cancels a ticket. */
  act(
    ticket: string,
    verb: 'approve' | 'deny' | 'cancel',
    body?: object,
    by?: { key: string },
  ): Promise<Answer>;
  ticket(id: string): Promise<Answer['body']>;
  /** Makes the manager of a person, who can then request access for them. */
  reportTo(user: string, manager: string): Promise<Answer>;
  /** Sets the app's approval steps. */
  route(approval_steps: object[], fallback_approvers?: string[] | null): Promise<void>;
  /**
   * Submits a request as Ada, for herself or for a person who then reports to her, or as the person's manager, and approves it as an
   * administrator. Returns the approved ticket.
   */
  approved(body?: object, manager?: Somebody): Promise<Answer['body']>;
  /** Reports the app's pending tasks as completed until none are left. */
  work(): Promise<void>;
  /** Returns what the person's account holds, as `team:red`. */
  has(userId: string): Promise<string[]>;
}

let people = 0;

export async function openRequestsTest(accounts: unknown[] = [], options = {}): Promise<RequestsTest> {
  const test = await openProvisioningTest(accounts, options);
  const somebody = (name: string) => addPersonWithKey(test, 'member', { email: `${name}@acme.example` });
  const [ada, grace, owen] = [await somebody('ada'), await somebody('grace'), await somebody('owen')];
  await test.call('PATCH', `/api/users/${ada.id}/`, { manager: grace.id });
  await test.call('PATCH', `/api/apps/${test.appId}/`, { owner: owen.id });
  const ticket = async (id: string) => (await test.call('GET', `/api/tickets/${id}/`)).body;
  const act: RequestsTest['act'] = (id, verb, body, by) =>
    test.call('POST', `/api/tickets/${id}/${verb}/`, body, by);
  /** Somebody who can request for their reports only gets the person as a report. */
  const newPerson = async (requester: { key: string; id?: string } | undefined) => {
    const user = await test.addUser(`new-${++people}@acme.example`);
    if (requester?.id !== undefined) await reportTo(user, requester.id);
    return user;
  };
  const reportTo: RequestsTest['reportTo'] = (user, manager) =>
    test.call('PATCH', `/api/users/${user}/`, { manager });
  const ask: RequestsTest['ask'] = async (body = {}, by) => {
    const user = 'user' in body ? body.user : await newPerson(by);
    return test.call('POST', '/api/tickets/', { app: test.appId, type: 'NEW_ACCESS', ...body, user }, by);
  };
  return {
    ...test,
    ada,
    grace,
    owen,
    ask,
    act,
    ticket,
    reportTo,
    route: async (approval_steps, fallback_approvers = null) => {
      const { status, body } = await test.call('PATCH', `/api/apps/${test.appId}/`, {
        approval_steps,
        fallback_approvers,
      });
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    approved: async (body: { user?: string } = {}, manager) => {
      if (manager === undefined && body.user !== undefined && body.user !== ada.id)
        await reportTo(body.user, ada.id);
      const asked = await ask(body, manager ?? ada);
      const { status, body: ticket } = await act(asked.body.external_uuid, 'approve', {
        override: true,
        comment: 'In a test',
      });
      if (status !== 200) throw new Error(JSON.stringify([asked.body, ticket]));
      return ticket;
    },
    work: async () => {
      for (;;) {
        const { tasks } = (await test.bridge('GET', '/tasks/?status=pending')).body;
        if (tasks.length === 0) return;
        for (const { id, action, payload } of tasks) {
          const result = action === 'create_account' ? { account: { id: payload.account.id } } : null;
          await test.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed', result });
        }
      }
    },
    has: async (userId) => {
      const { rows } = await sql<{ name: string }>`
        select r.slug || ':' || e.external_id as name
        from account a
        join membership m on m.org_id = a.org_id and m.account_id = a.id
        join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
        join resource_type r on r.org_id = e.org_id and r.id = e.resource_type_id
        where a.org_id = ${test.orgId} and a.user_id = ${userId} order by 1`.execute(test.database.db);
      return rows.map(({ name }) => name);
    },
  };
}

/** The time `days` from now, in ISO 8601. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
