import type { OrgTx } from '#kit/database.ts';
import type { UserNameKind } from '../../../../../protocol/src/user-names.ts';
import * as queries from '../queries/admin.ts';

/** Stores the system whose user names the connector of an app creates, as the connector says it or as its type is known (D82). */
export const setUserNameKind = (tx: OrgTx, appId: string, kind: UserNameKind | null): Promise<void> =>
  queries.setUserNameKind(tx, appId, kind);
