import { Type } from 'typebox';
import { Component, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { payloadOf } from '../payload.ts';
import type { Task } from '../task.ts';
import { Action, ErrorCode, RefChanges, Refs, TaskStatus } from '../task-schemas.ts';

export const ReportedError = Component('ReportedError', {
  code: ErrorCode,
  message: Type.String({ description: 'Shown to administrators.' }),
});

/** Protocol 2.6. The fields after `payload` are additions. */
export const BridgeTask = Component('BridgeTask', {
  id: Uuid,
  action: Action,
  resource_type: Type.String({ description: "The slug of the account's resource type." }),
  status: TaskStatus,
  execute_after: Timestamp,
  created_at: Timestamp,
  payload: Component('BridgeTaskPayload', {
    account: Nullable(MapOf(Type.String())),
    memberships: Nullable(MapOf(Refs)),
    changes: Nullable(MapOf(RefChanges)),
  }),
  result: Nullable(Type.Object({}, { description: 'Reserved. An empty object for completed tasks.' })),
  error: Nullable(ReportedError),
  retry_of: Nullable(Uuid),
});

export const bridgeTask = (task: Task) => ({
  id: task.id,
  action: task.action,
  resource_type: task.resource_type,
  status: task.status,
  execute_after: task.execute_after,
  created_at: task.created_at,
  payload: payloadOf(task),
  result: task.status === 'completed' ? {} : null,
  error: task.error,
  retry_of: task.retry_of,
});
