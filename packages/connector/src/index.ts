export { networkCause } from '../../protocol/src/net/network-cause.ts';
export type { Attributes } from '../../protocol/src/records.ts';
export { createRedactor, type Redactor } from '../../protocol/src/redact.ts';
export { VERSION } from '../../protocol/src/version.ts';
export { agentFor, isProxied } from './agents.ts';
export type { Command, Option } from './commands/context.ts';
export { commands } from './commands/index.ts';
export { type ConfigOf, type Field, flag, number, readConfig, secret, text, variableOf } from './config.ts';
export type { Clock, Confirmation, Seen } from './confirmation.ts';
export { counted } from './counted.ts';
export {
  type AccountRecord,
  type Changes,
  type Connector,
  defineConnector,
  type Grants,
  type GroupRecord,
  type LicenseRecord,
  type ListContext,
  type Listing,
  type Page,
  type Ref,
  type ResourceType,
  type TaskAccount,
  type TaskContext,
  type Tasks,
  type UserNames,
  unreported,
  type Wanted,
} from './define.ts';
export { deliverToProgram } from './delivery.ts';
export { type Delta, pushDelta } from './delta.ts';
export {
  afterUndo,
  causeLine,
  Exit,
  Failure,
  leavingBehind,
  reason,
  ServiceError,
  SupersededError,
  TaskError,
  type TaskErrorCode,
} from './errors.ts';
export { generatePassword } from './execute.ts';
export { defaultGuard, type Guard } from './guard.ts';
export { followMembers, groupsWithin, openTally, type Tally } from './hidden-members.ts';
export { exchange } from './http.ts';
export { interruptible, main, runCommandLine, type Terminal } from './main.ts';
export { type DirectMembers, giverBelow, membersWithin } from './nested.ts';
export { endWithReader } from './pipes.ts';
export { createProgress, type Log, type Progress, silent } from './progress.ts';
export { isInstant } from './records.ts';
export { createService, type Service } from './service.ts';
export { type SettingsSchema, settingsSchema } from './settings-schema.ts';
export { settled } from './settle.ts';
export { loadSqlite } from './sqlite.ts';
export { openState, type State, stateFolder } from './state.ts';
export { type Run, runSync, type SyncOptions, type SyncResult } from './sync.ts';
export { type TaskTally, workOffTasks } from './tasks.ts';
export { readText } from './text-file.ts';
export { type Unseen, type UnseenRule, unseenRules } from './unseen.ts';
export type { UnseenSum } from './unseen-entries.ts';
export { type WatchOptions, watch } from './watch.ts';
