import { Type } from 'typebox';
import { list } from '#kit/http.ts';
import { Uuid } from '#kit/schemas.ts';
import { LeaverView } from '../leaver-schemas.ts';
import { listLeaversWithRemovals, type ReadRemovals } from '../leavers.ts';

export const leaverRoute = (readRemovals: ReadRemovals) =>
  list(
    '/api/users/leavers/',
    {
      tag: 'People',
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] }, reads: 'replica' },
      summary: 'List leavers with access',
      description:
        'Users who are deactivated or past their end date (UTC), and still have accounts that are INVITED, ACTIVE or SUSPENDED.',
      isLong: true,
      query: { user: Type.Optional({ ...Uuid, description: 'Only this user.' }) },
      item: LeaverView,
    },
    ({ call, query: { user = null } }, page) => listLeaversWithRemovals(call, readRemovals, user, page),
  );
