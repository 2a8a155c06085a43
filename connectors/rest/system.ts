import type { Log } from '@gatehouse/connector';
import { fill } from '@gatehouse/connector/declarative';
import { type CallOptions, type Client, createClient, type Reply, type Settings } from './client.ts';
import type { Body, Compiled, CompiledRequest } from './compiled.ts';
import type { Outgoing } from './exchange.ts';
import { holds, kindOf, type Scope } from './expression.ts';
import { isPage, nameOf, RequestError, refusal } from './failures.ts';
import { evaluateTemplate, pathOf, type Template } from './template.ts';

/** An application that a definition describes, with its settings. */
export type System = {
  compiled: Compiled;
  settings: Settings;
  client: Client;
  base: URL;
  concurrency: number;
  /** Seconds for one request of a list. */
  patience: number;
  /** Seconds for which a 404 for an account that was just created is repeated. */
  settle: number;
  /** First pause before a request is repeated, in milliseconds. */
  pause: number;
  signal: AbortSignal;
  log: Log;
  deliverTo: string | undefined;
};

export type SystemOptions = {
  compiled: Compiled;
  settings: Settings;
  secrets: readonly unknown[];
  log: Log;
  signal: AbortSignal;
  pause: number;
  env?: Readonly<Record<string, string | undefined>>;
};

export function openSystem({ compiled, settings, ...options }: SystemOptions): System {
  const { definition } = compiled;
  const address = fill(definition.base_url, settings).replace(/\/+$/, '');
  if (!URL.canParse(address))
    throw new RequestError(`base_url "${address}" is not a URL`, { isUnreachable: true });
  const base = new URL(address);
  const { deliverTo } = settings;
  return {
    compiled,
    settings,
    client: createClient({ definition, settings, base, ...options }),
    base,
    concurrency: definition.limits?.concurrency ?? 4,
    patience: definition.limits?.patience ?? 900,
    settle: definition.limits?.settle ?? 60,
    pause: options.pause,
    signal: options.signal,
    log: options.log,
    deliverTo: typeof deliverTo === 'string' ? deliverTo : undefined,
  };
}

/** Makes a request from its templates. */
export function outgoing(system: System, request: CompiledRequest, given: Scope): Outgoing {
  const scope = { ...given, settings: system.settings };
  const prefix = system.base.pathname.replace(/\/+$/, '');
  const url = new URL(prefix + pathOf(request.path, scope), system.base);
  for (const [name, template] of request.query)
    url.searchParams.set(name, parameterOf(name, template, scope));
  const form = request.form && new URLSearchParams(texts(request.form, scope)).toString();
  const json = request.body && JSON.stringify(bodyOf(request.body, scope), digits);
  const content = form ?? json;
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const headers = [...texts(system.compiled.headers, scope), ...texts(request.headers, scope)];
  return {
    method: request.method,
    url,
    headers: {
      accept: 'application/json',
      'user-agent': 'gatehouse-connector-rest',
      ...(content === undefined ? {} : { 'content-type': type }),
      ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    },
    ...(content === undefined ? {} : { content }),
  };
}

/** Reads the settings that requests give, such as the id of an organization of which a name is set. */
export async function deriveSettings(system: System): Promise<void> {
  for (const { name, request, value } of system.compiled.derived) {
    const reply = await read(system, outgoing(system, request, {}), [], 30);
    const found = value(afterReply(system, {}, reply));
    if (found === null || found === undefined || found === '' || typeof found === 'object')
      throw new RequestError(`${nameOf(request.method, reply.url)} has no ${name}: it is ${kindOf(found)}`);
    system.settings = { ...system.settings, [name]: found };
  }
}

/** An empty parameter is refused: many servers ignore an empty filter, and return everything. */
function parameterOf(name: string, template: Template, scope: Scope): string {
  for (const part of template.parts) {
    const value = typeof part === 'string' ? part : part.value(scope);
    if (typeof part !== 'string' && (value === null || value === undefined || value === ''))
      throw new RequestError(
        `the parameter ${name} of a request cannot be made: ${part.text} is ${kindOf(value)}`,
      );
  }
  const [[, text = ''] = []] = texts([[name, template]], scope);
  return text;
}

function texts(templates: [string, Template][], scope: Scope): [string, string][] {
  return templates.flatMap(([name, template]): [string, string][] => {
    const value = evaluateTemplate(template, scope);
    if (value === null || value === undefined) return [];
    if (typeof value === 'object') throw new Error(`${name} is ${kindOf(value)}, but must be text`);
    return [[name, String(value)]];
  });
}

/** Returns the JSON of a body. A key whose template gives null is left out; a written null is sent. */
function bodyOf(body: Body, scope: Scope): unknown {
  if ('value' in body) return body.value;
  if ('list' in body) return body.list.map((each) => bodyOf(each, scope));
  if ('parts' in body) return evaluateTemplate(body, scope) ?? null;
  return Object.fromEntries(
    body.map.flatMap(([name, each]) => {
      const value = bodyOf(each, scope);
      return value === null && 'parts' in each ? [] : [[name, value]];
    }),
  );
}

/** Integers that are too large for a number are sent as text: JSON.stringify cannot write their digits. */
const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

export const afterReply = (system: System, scope: Scope, { body, status, headers }: Reply) => ({
  ...scope,
  settings: system.settings,
  response: body ?? null,
  status,
  headers,
});

/** True if a response has a good status and meets `ok` of the definition. */
export function isOk(system: System, reply: Reply): boolean {
  if (reply.status < 200 || reply.status > 299 || isPage(reply.body)) return false;
  const { ok } = system.compiled;
  return ok === undefined || holds(ok, afterReply(system, {}, reply));
}

/** Sends a request that reads. Throws unless the response is successful JSON, or has a status that the caller accepts. */
export async function read(
  system: System,
  request: Outgoing,
  accept: number[] = [],
  patience?: number,
): Promise<Reply> {
  const reply = await system.client.call(request, readOptions(system, patience));
  if (accept.includes(reply.status) && !isPage(reply.body)) return reply;
  if (reply.status >= 200 && reply.status < 300 && !reply.isJson)
    throw new RequestError(
      `${nameOf(request.method, reply.url)} returned text that is not JSON; check base_url`,
    );
  if (!isOk(system, reply)) throw problemOf(system, request, reply);
  return reply;
}

const readOptions = (system: System, patience = system.patience): CallOptions => ({
  repeat: true,
  patience,
  signal: system.signal,
});

export function problemOf(system: System, { method }: Outgoing, { url, status, body }: Reply): RequestError {
  const problem = refusal(method, url, status, body);
  problem.message = system.client.hide(problem.message);
  return problem;
}
