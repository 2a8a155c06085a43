import type { Answer, Item } from '../../api/client.ts';

export type ListedTask = Item<'/api/fulfilment/tasks/'>;
export type FulfilmentTask = Answer<'/api/fulfilment/tasks/{task_id}/'>;
