import { TaskError, type TaskErrorCode } from '@gatehouse/connector';
import type { Reply } from './client.ts';
import type { CompiledStep, CompiledSteps, ErrorMap, StepAction } from './compiled.ts';
import type { Outgoing } from './exchange.ts';
import { kindOf } from './expression.ts';
import { codeOf } from './failures.ts';
import { afterReply, isOk, outgoing, problemOf, type System } from './system.ts';

/** The values that the expressions of steps can use. Steps add to `captured`. */
export type StepScope = {
  account: Record<string, unknown>;
  group?: Record<string, unknown>;
  captured: Record<string, unknown>;
  password: string | null;
  /** True as soon as a step has created an account, and not merely found it. */
  isCreated: boolean;
};
export type StepContext = {
  system: System;
  signal: AbortSignal;
  /** The purpose of the steps. The meaning of 404 and 409 depends on it. */
  action: StepAction | 'add' | 'remove';
};
/** Seconds that one request of a task may take with its repetitions. The service retries tasks that were throttled. */
const PATIENCE = 30;

/** Carries out steps one after the other. Throws a TaskError if one fails. */
export async function runSteps(
  { steps }: CompiledSteps,
  scope: StepScope,
  context: StepContext,
): Promise<void> {
  for (const step of steps) {
    const { settings } = context.system;
    if (step.when && step.when({ ...scope, settings }) !== true) continue;
    const reply = await carryOut(step, scope, context);
    const after = afterReply(context.system, scope, reply);
    for (const [name, value] of step.capture) scope.captured[name] = value(after);
    if (context.action !== 'create' || !step.capture.some(([name]) => name === 'id')) continue;
    scope.account.id = idIn(scope.captured.id);
    scope.isCreated = !reply.already;
  }
}

function idIn(value: unknown): string {
  if ((typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'bigint')
    return String(value);
  throw new TaskError('INTERNAL_ERROR', `the response has no id of the new account: it is ${kindOf(value)}`);
}

async function carryOut(
  step: CompiledStep,
  scope: StepScope,
  context: StepContext,
): Promise<Reply & { already: boolean }> {
  const { system, signal, action } = context;
  const request = outgoing(system, step.request, scope);
  const reply = await system.client.call(request, { repeat: step.repeat, patience: PATIENCE, signal });
  const test = { status: reply.status, scope: afterReply(system, scope, reply) };
  if (step.already?.(test)) return { ...reply, already: true };
  const code = errorIn(step.errors, test) ?? errorIn(system.compiled.errors, test);
  if (code === undefined && (step.success ? step.success(test) : isOk(system, reply)))
    return { ...reply, already: false };
  throw taskError(system, request, reply, code ?? defaultCode(reply.status, action));
}

const errorIn = (errors: ErrorMap, test: Parameters<ErrorMap[number][1]>[0]): TaskErrorCode | undefined =>
  errors.find(([, condition]) => condition(test))?.[0];

/** For actions on an existing account, 404 means that it is missing. For create, 409 means that it exists. */
function defaultCode(status: number, action: StepContext['action']): TaskErrorCode {
  const onAccount = !['create', 'add', 'remove'].includes(action);
  if (status === 404 && onAccount) return 'ACCOUNT_NOT_FOUND';
  if (status === 409 && action === 'create') return 'ACCOUNT_ALREADY_EXISTS';
  return codeOf(status) ?? 'INTERNAL_ERROR';
}

function taskError(system: System, request: Outgoing, reply: Reply, code: TaskErrorCode): TaskError {
  const problem = problemOf(system, request, reply);
  return new TaskError(code, problem.message, { cause: problem });
}
