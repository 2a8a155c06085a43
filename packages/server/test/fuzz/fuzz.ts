import fc, { type Arbitrary } from 'fast-check';
import { withoutReferences } from '#kit/http/components.ts';
import type { Http } from '#kit/http.ts';
import { csvFiles, type Schema, valuesOf } from './values.ts';

/** A generated request: an operation of the OpenAPI document with values for everything that it takes. */
export interface FuzzRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string;
  /** The address of the caller, so that limits for one address do not stop the run. */
  remoteAddress: string;
}

interface Parameter {
  name: string;
  in: string;
  schema?: Schema;
}

interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  body?: { type: string; schema?: Schema };
}

/** The credentials and ids with which requests are made. */
export interface World {
  org: string;
  /** Header sets, one per kind of caller: keys, sessions, nothing. */
  callers: Record<string, string>[];
  /** Existing ids, by the name of the parameter that takes them. */
  ids: Record<string, string>;
}

export interface FuzzFailure {
  request: FuzzRequest;
  status: number;
  ms: number;
  answer: string;
}

export interface FuzzReport {
  requests: number;
  operations: number;
  /** How many answers had each status. */
  statuses: Record<number, number>;
  /** Requests with a status of 500 or above. */
  broken: FuzzFailure[];
  /** Requests that took more than a second, each of three times. */
  slow: FuzzFailure[];
  slowestMs: number;
}

const SLOW_MS = 1_000;
const BATCH = 250;

/**
 * Sends `count` generated requests over all operations. `furnish` creates the things that requests name; it runs again
 * before every batch, because a batch deletes and revokes what it finds. The same seed repeats the same requests, apart
 * from ids.
 */
export async function fuzz(
  http: Http,
  count: number,
  seed: number,
  furnish: (batch: number) => Promise<World>,
): Promise<FuzzReport> {
  const operations = operationsOf((await http.inject('/openapi.json')).json());
  const report: FuzzReport = {
    requests: 0,
    operations: operations.length,
    statuses: {},
    broken: [],
    slow: [],
    slowestMs: 0,
  };
  for (let batch = 0; report.requests < count; batch++) {
    const world = await furnish(batch);
    const size = Math.min(BATCH, count - report.requests);
    for (const request of fc.sample(requests(operations, world), { numRuns: size, seed: seed + batch })) {
      await send(http, request, report);
    }
  }
  return report;
}

async function send(http: Http, request: FuzzRequest, report: FuzzReport) {
  const { status, ms, answer } = await timed(http, request);
  report.requests += 1;
  report.statuses[status] = (report.statuses[status] ?? 0) + 1;
  report.slowestMs = Math.max(report.slowestMs, ms);
  // 501 is a decision: SCIM's /Me.
  if (status >= 500 && status !== 501) report.broken.push({ request, status, ms, answer });
  // A busy machine can stop any request for a second. Only a request that is slow every time is slow.
  if (isSlow(ms) && isSlow((await timed(http, request)).ms) && isSlow((await timed(http, request)).ms))
    report.slow.push({ request, status, ms, answer });
}

const SPIN_MS = 20;

/** Whether a request took too long, apart from the time in which other processes had the processor. */
const isSlow = (ms: number) => ms > SLOW_MS && ms > SLOW_MS * timesSlower();

/** Returns how many times longer work takes at this moment than its processor time. */
function timesSlower(): number {
  const [start, used] = [performance.now(), process.cpuUsage()];
  let spent = 0;
  while (spent < SPIN_MS) {
    const { user, system } = process.cpuUsage(used);
    spent = (user + system) / 1000;
  }
  return (performance.now() - start) / SPIN_MS;
}

async function timed(http: Http, request: FuzzRequest) {
  const start = performance.now();
  const reply = await http.inject({ ...request, method: request.method as 'GET' });
  return {
    status: reply.statusCode,
    ms: Math.round(performance.now() - start),
    answer: reply.payload.slice(0, 300),
  };
}

function operationsOf(document: { paths: Record<string, object> }): Operation[] {
  return Object.entries(withoutReferences(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody } = operation as {
        parameters?: Parameter[];
        requestBody?: { content: Record<string, { schema?: Schema }> };
      };
      const content = Object.entries(requestBody?.content ?? {}).at(0);
      return {
        method: method.toUpperCase(),
        path,
        parameters,
        ...(content ? { body: { type: content[0], ...content[1] } } : {}),
      };
    }),
  );
}

const requests = (operations: Operation[], world: World): Arbitrary<FuzzRequest> =>
  fc.constantFrom(...operations).chain((operation) => requestsOf(operation, world));

function requestsOf(operation: Operation, world: World): Arbitrary<FuzzRequest> {
  const ids = fc.constantFrom(...Object.values(world.ids));
  return fc
    .record({
      path: paths(operation.path, world, ids),
      query: queries(operation, ids),
      body: bodies(operation, ids),
      caller: fc.constantFrom(...world.callers),
      address: fc.integer({ min: 1, max: 250 }),
    })
    .map(({ path, query, body, caller, address }) => ({
      method: operation.method,
      url: query === '' ? path : `${path}?${query}`,
      headers: { ...caller, ...body.headers },
      ...(body.payload === undefined ? {} : { payload: body.payload }),
      remoteAddress: `10.0.0.${address}`,
    }));
}

const ODD_SEGMENTS = ['x', '%00', '..', '%2e%2e', '%', '%ff', 'A'.repeat(300), '0', 'null'];

/** The path with an existing id for each parameter, and now and then another or none. */
function paths(path: string, world: World, ids: Arbitrary<string>): Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const segments = names.map((name) => {
    const proper = fc.constant(name === 'org' ? world.org : (world.ids[name] ?? 'none'));
    const odd = fc.oneof(ids, fc.uuid(), fc.constantFrom(...ODD_SEGMENTS));
    return fc.oneof({ weight: name === 'org' ? 60 : 8, arbitrary: proper }, { weight: 1, arbitrary: odd });
  });
  return fc.tuple(...segments).map((chosen) => {
    let index = 0;
    return path.replaceAll(/\{\w+\}/g, () => chosen[index++] ?? '');
  });
}

function queries({ parameters }: Operation, ids: Arbitrary<string>): Arbitrary<string> {
  const named = parameters.filter((one) => one.in === 'query');
  return fc
    .record(Object.fromEntries(named.map(({ name, schema }) => [name, valuesOf(schema, ids)])), {
      requiredKeys: [],
      noNullPrototype: true,
    })
    .map((values) =>
      Object.entries(values)
        .map(
          ([name, value]) => `${name}=${encode(typeof value === 'string' ? value : JSON.stringify(value))}`,
        )
        .join('&')
        .slice(0, 4_000),
    );
}

/** A lone surrogate has no encoding. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed());

interface Body {
  payload?: string | undefined;
  headers: Record<string, string>;
}

function bodies({ body, method }: Operation, ids: Arbitrary<string>): Arbitrary<Body> {
  if (body === undefined)
    return fc.constant({ headers: method === 'GET' ? {} : { 'content-type': 'application/json' } });
  const headers = { 'content-type': body.type };
  return fc.oneof(
    { weight: 24, arbitrary: texts(body, ids).map((payload) => ({ payload, headers })) },
    { weight: 1, arbitrary: texts(body, ids).map((payload) => ({ payload: nested(payload), headers })) },
    {
      weight: 1,
      arbitrary: fc.record({
        payload: fc.constantFrom(...ODD_BODIES),
        headers: fc.constantFrom(...ODD_HEADERS),
      }),
    },
  );
}

function texts(
  { type, schema }: { type: string; schema?: Schema },
  ids: Arbitrary<string>,
): Arbitrary<string> {
  if (type === 'text/csv') return csvFiles;
  if (type === 'application/json') return valuesOf(schema, ids).map((value) => JSON.stringify(value) ?? '');
  return fc.oneof(fc.constantFrom('SAMLResponse=PHg+&RelayState=x', 'SAMLResponse=', ''), fc.string());
}

const LEVELS = 20_000;

/** The same body, with one member more than its schema names: nested deeper than a stack can be. */
const nested = (payload: string) =>
  payload.startsWith('{')
    ? `{"attributes":${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}${payload.length > 2 ? ',' : ''}${payload.slice(1)}`
    : '['.repeat(LEVELS) + ']'.repeat(LEVELS);

const ODD_BODIES = [
  '',
  '{',
  '[]',
  '"text"',
  '\ufeff{}',
  '{"a":'.repeat(3_000),
  '[1,]',
  'NaN',
  '{"__proto__":1}',
];

const ODD_HEADERS: Record<string, string>[] = [
  { 'content-type': 'application/json' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  { 'content-type': 'application/json', host: '127.0.0.1:notaport' },
  { 'content-type': 'application/json', host: 'a@b', 'x-forwarded-for': 'nonsense' },
  { 'content-type': 'application/json', 'user-agent': 'x'.repeat(4_000) },
];
