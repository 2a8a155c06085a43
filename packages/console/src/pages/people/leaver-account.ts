import { t } from '@lingui/core/macro';
import type { Item } from '../../api/client.ts';

export type Leaver = Item<'/api/users/leavers/'>;
export type LeaverAccount = Leaver['accounts'][number];

export const leaverAccountName = ({ username, email }: LeaverAccount): string =>
  username || email || t`Unnamed account`;
