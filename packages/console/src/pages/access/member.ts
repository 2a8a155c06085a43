import type { Item } from '../../api/client.ts';
import { accountName } from '../accounts/account.ts';

export type Member = Item<'/api/apps/{app_id}/resources/{resource_id}/members/'>;

export const memberName = (member: Member) => member.email || accountName({ ...member, external_id: null });
