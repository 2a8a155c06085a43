import { Type } from 'typebox';
import { Nullable } from '#kit/schemas.ts';
import { CYCLE_STATUSES, DECISIONS, REVOKE_ACCOUNT_BY } from './cycle.ts';

export const Decision = Type.Enum([...DECISIONS], { title: 'ReviewDecision' });

export const CycleStatus = Type.Enum([...CYCLE_STATUSES], { title: 'ReviewCycleStatus' });

export const RevokeAccountBy = Type.Enum([...REVOKE_ACCOUNT_BY]);

export const Comment = Type.Optional(Nullable(Type.String({ maxLength: 2000 })));
