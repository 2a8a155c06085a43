import { Type } from 'typebox';
import { Component, Uuid } from '#kit/schemas.ts';
import { ACTIONS, ERROR_CODES, SOURCE_TYPES, TASK_STATUSES, WAITS_FOR } from './task.ts';

export const TaskStatus = Type.Enum([...TASK_STATUSES], { title: 'TaskStatus' });
export const Action = Type.Enum([...ACTIONS], { title: 'TaskAction' });
export const ErrorCode = Type.Enum([...ERROR_CODES], { title: 'TaskErrorCode' });
export const WaitsFor = Type.Enum([...WAITS_FOR]);

/** Groups or licenses of one resource type. */
export const Refs = Type.Array(Component('EntitlementName', { id: Type.String(), name: Type.String() }));

export const RefChanges = Component('EntitlementChanges', { added: Refs, removed: Refs });

export const AccountEmail = Component('AccountEmail', { external_uuid: Uuid, email: Type.String() });

export const TaskSource = Component('TaskSource', { type: Type.Enum([...SOURCE_TYPES]), id: Uuid });
