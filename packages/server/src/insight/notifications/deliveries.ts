import type { OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { messageIdOf, messageIdOfLink } from './email/message-id.ts';
import type { DeliveryFilter } from './filters.ts';
import * as queries from './queries/deliveries.ts';
import type { Delivery } from './schemas.ts';

/** Lists what was sent to whom, and why not. Newest first. */
export async function listDeliveries(
  db: OrgDb,
  filter: DeliveryFilter,
  page: Page,
): Promise<Slice<Delivery>> {
  const { results, ...count } = await queries.listDeliveries(db, filter, page);
  return {
    ...count,
    results: results.map(({ message_id, ...delivery }) => ({
      ...delivery,
      message_id: message_id === null || delivery.medium !== 'email' ? null : headerOf(message_id, delivery),
    })),
  };
}

const headerOf = (id: string, { kind, attempts }: Pick<Delivery, 'kind' | 'attempts'>) =>
  kind === 'sign_in_link' ? messageIdOfLink({ id, attempts }) : messageIdOf(id);
