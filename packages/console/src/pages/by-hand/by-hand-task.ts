import type { Answer, Item } from '../../api/client.ts';

export type ListedTask = Item<'/api/fulfillment/tasks/'>;
export type FulfillmentTask = Answer<'/api/fulfillment/tasks/{task_id}/'>;
