import type { Redactor } from '../../protocol/src/redact.ts';
import type { Clock } from './confirmation.ts';
import type { Connector } from './define.ts';
import type { Held } from './guard.ts';
import type { Progress } from './progress.ts';
import type { Service } from './service.ts';
import type { State } from './state.ts';

/** A connected connector and the app that it works for. */
export type Run = {
  connector: Connector;
  system: unknown;
  service: Service;
  app: string;
  state: State;
  progress: Progress;
  redactor: Redactor;
  signal: AbortSignal;
  /** The number of active accounts and memberships, if the service passed it on. The key of a managed run may not read accounts. */
  held?: Held | undefined;
  /** Milliseconds after which a task is reported as TIMEOUT. */
  taskTimeout?: number;
  /** The clock for reading accounts back after tasks. */
  clock?: Clock;
};
