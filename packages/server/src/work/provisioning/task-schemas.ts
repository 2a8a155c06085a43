import { Type } from 'typebox';
import { ACTIONS, ERROR_CODES, TASK_STATUSES, WAITS_FOR } from './task.ts';

export const TaskStatus = Type.Enum([...TASK_STATUSES], { title: 'TaskStatus' });
export const Action = Type.Enum([...ACTIONS], { title: 'TaskAction' });
export const ErrorCode = Type.Enum([...ERROR_CODES], { title: 'TaskErrorCode' });
export const WaitsFor = Type.Enum([...WAITS_FOR]);
