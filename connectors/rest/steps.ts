import { setTimeout as sleep } from 'node:timers/promises';
import { settled, TaskError, type TaskErrorCode } from '@gatehouse/connector';
import type { Reply } from './client.ts';
import type { CompiledStep, CompiledSteps, ErrorMap, StepAction } from './compiled.ts';
import type { Outgoing } from './exchange.ts';
import { holds, kindOf } from './expression.ts';
import { codeOf, isPage, nameOf } from './failures.ts';
import { afterReply, isOk, outgoing, problemOf, type System } from './system.ts';
import { evaluateTemplate } from './template.ts';

/** The values that the expressions of steps can use. Steps add to `captured`. */
export type StepScope = {
  account: Record<string, unknown>;
  group?: Record<string, unknown>;
  captured: Record<string, unknown>;
  password: string | null;
  /** True as soon as a response has said that a step created the account, and did not find or change an older one. */
  isCreated: boolean;
};
export type StepContext = {
  system: System;
  signal: AbortSignal;
  /** The purpose of the steps. The meaning of 404 and 409 depends on it. */
  action: StepAction | 'add' | 'remove';
  /** Whether this task has just created the account, so that the application may not find it everywhere. */
  isNew?: boolean;
};
/** Seconds that one request of a task may take with its repetitions. The service retries tasks that were throttled. */
const PATIENCE = 30;
/** The number of times that the new state is looked for: it may take a moment until an application shows it. */
const LOOKS = 4;
/** Actions that must change the account or find it changed. For others, such as `add`, there may be nothing to do. */
const MUST_APPLY = ['delete', 'suspend', 'unsuspend', 'reset_password'];

/** A task failed because the application does not know an account that the task has just created. */
export class UnsettledError extends TaskError {}

/** Carries out steps one after the other. Throws a TaskError if one fails. */
export async function runSteps(
  { steps }: CompiledSteps,
  scope: StepScope,
  context: StepContext,
): Promise<void> {
  const { system, action, signal } = context;
  let applied = !MUST_APPLY.includes(action);
  for (const step of steps) {
    if (step.when && !isNeeded(step.when({ ...scope, settings: system.settings }))) continue;
    const isNew = context.isNew === true || (action === 'create' && scope.isCreated);
    const attempt = () => carryOut(step, scope, { ...context, isNew });
    const isUnsettled = (error: unknown) => error instanceof UnsettledError;
    const reply = await settled(attempt, { isUnsettled, signal, seconds: system.settle });
    applied ||= step.request.method !== 'GET' || step.expect.length > 0;
    const after = afterReply(system, scope, reply);
    for (const [name, value] of step.capture) scope.captured[name] = value(after);
    if (action !== 'create' || !step.capture.some(([name]) => name === 'id')) continue;
    scope.account.id = idIn(scope.captured.id);
    const { status } = reply;
    scope.isCreated =
      !reply.already && (step.created ? step.created({ status, scope: after }) : status === 201);
  }
  if (!applied)
    throw new TaskError(
      'INTERNAL_ERROR',
      `no step of ${action} applies to the account, so nothing was changed`,
    );
}

function isNeeded(when: unknown): boolean {
  if (typeof when !== 'boolean')
    throw new TaskError('INTERNAL_ERROR', `when is ${kindOf(when)}, but must be true or false`);
  return when;
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
  for (let looks = 1, pause = system.pause; ; looks++, pause *= 2) {
    const reply = await system.client.call(request, { repeat: step.repeat, patience: PATIENCE, signal });
    const test = { status: reply.status, scope: afterReply(system, scope, reply) };
    if (isUnexpectedPage(step, test, reply))
      throw taskError(system, request, reply, codeOf(reply.status) ?? 'INTERNAL_ERROR');
    if (step.already?.(test)) return { ...reply, already: true };
    const code = errorIn(step.errors, test) ?? errorIn(system.compiled.errors, test);
    if (code !== undefined || !(step.success ? step.success(test) : isOk(system, reply)))
      throw taskError(system, request, reply, code ?? defaultCode(reply.status, action), context.isNew);
    const unmet = step.expect.find(({ that }) => !holds(that, test.scope));
    if (unmet === undefined) return { ...reply, already: false };
    if (request.method !== 'GET' || looks === LOOKS)
      throw new TaskError('INTERNAL_ERROR', system.client.hide(sentenceOf(unmet, request, test.scope)));
    await sleep(pause, undefined, { signal });
  }
}

/** Only a definition that names a successful status expects a page of HTML. */
const isUnexpectedPage = (
  { success }: CompiledStep,
  test: Parameters<ErrorMap[number][1]>[0],
  { status, body }: Reply,
): boolean => isPage(body) && !(status < 300 && success?.(test) === true);

function sentenceOf(
  { otherwise, text }: CompiledStep['expect'][number],
  { method, url }: Outgoing,
  scope: Record<string, unknown>,
): string {
  if (otherwise) return String(evaluateTemplate(otherwise, scope));
  return `the account is not in the state that the task asks for: ${nameOf(method, url)} does not show ${text}`;
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

function taskError(
  system: System,
  request: Outgoing,
  reply: Reply,
  code: TaskErrorCode,
  isNew = false,
): TaskError {
  const problem = problemOf(system, request, reply);
  if (isNew && (reply.status === 404 || code === 'ACCOUNT_NOT_FOUND'))
    return new UnsettledError('INTERNAL_ERROR', problem.message, { cause: problem });
  return new TaskError(code, problem.message, { cause: problem });
}
