import { t } from '@lingui/core/macro';
import type { Item } from '../../api/client.ts';

export type ScimClient = Item<'/api/scim-clients/'>;

/** The name of the client's key. */
export const clientName = ({ key }: ScimClient): string => key.name ?? t`Deleted key`;
