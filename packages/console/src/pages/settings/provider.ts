import type { Item } from '../../api/client.ts';

export type Provider = Item<'/api/sign-in-providers/'>;
