import { newKey } from '#directory/access/key-format.ts';
import { insertKey } from '#directory/access/keys.ts';
import { transaction, within } from '#kit/database.ts';
import { FIRST_KEY_SCOPES, type Role } from '#kit/identity.ts';
import type { Answer } from './app.ts';
import { addPersonWithRole } from './people.ts';
import { openProvisioningTest, type ProvisioningTest } from './provisioning.ts';
import { setTimes } from './time.ts';

/** A service with people and an app with their accounts, and helpers for reviews. */
export interface ReviewsTest extends ProvisioningTest {
  /** Creates a campaign. Returns its id. */
  campaign(settings?: object): Promise<string>;
  /** Creates a campaign and starts it. Returns the cycle. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
  start(settings?: object): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
  items(cycle: { external_uuid: string }, query?: string): Promise<any[]>;
  decide(
    cycle: { external_uuid: string },
    items: { id: string }[],
    decision: 'keep' | 'revoke',
    more?: { comment?: string; key?: string },
  ): Promise<Answer>;
  /** Creates a key for the person with this email, and the person if needed. */
  keyOf(email: string, role?: Role): Promise<{ id: string; key: string }>;
  /** Makes every cycle due. */
  makeDue(): Promise<void>;
}

export async function openReviewsTest(accounts: unknown[] = [], options = {}): Promise<ReviewsTest> {
  const service = await openProvisioningTest(accounts, options);
  const { db } = service.database;
  const address = (cycle: { external_uuid: string }) => `/api/reviews/cycles/${cycle.external_uuid}`;
  const campaign: ReviewsTest['campaign'] = async (settings = {}) => {
    const { status, body } = await service.call('POST', '/api/reviews/', { name: 'Quarterly', ...settings });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.external_uuid;
  };
  return {
    ...service,
    campaign,
    start: async (settings) => {
      const { status, body } = await service.call('POST', `/api/reviews/${await campaign(settings)}/start/`);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body;
    },
    items: async (cycle, query = '') =>
      (await service.call('GET', `${address(cycle)}/items/?limit=200&${query}`)).body.results,
    decide: (cycle, items, decision, { comment, key = service.key } = {}) =>
      service.call(
        'POST',
        `${address(cycle)}/decisions/`,
        { items: items.map(({ id }) => id), decision, comment },
        { key },
      ),
    keyOf: async (email, role = 'member') => {
      const known = await service.call('GET', `/api/users/?email=${encodeURIComponent(email)}`);
      const { external_uuid: id } = known.body.results[0] ?? (await addPersonWithRole(service, email, role));
      const key = newKey();
      await transaction(within(db, service.orgId), (tx) =>
        insertKey(tx, {
          userId: id,
          key,
          name: email,
          scopes: FIRST_KEY_SCOPES,
          apps: null,
          expiresAt: null,
        }),
      );
      return { id, key };
    },
    makeDue: async () => {
      await setTimes(db, 'review_cycle', { due_at: '1 second ago' }, { org_id: service.orgId });
    },
  };
}
