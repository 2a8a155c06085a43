import { t } from '@lingui/core/macro';
import type { Answer } from '../../api/client.ts';

export type Entitlement = Answer<'/api/resources/{resource_id}/'>;

export const entitlementName = ({ name, id }: Pick<Entitlement, 'name' | 'id'>) => name || id;

export const RISKS = { low: t`Low`, medium: t`Medium`, high: t`High` };
export const TYPES = { group: t`Group`, license: t`License` };
