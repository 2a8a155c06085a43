import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { silent, type TaskContext } from '@gatehouse/connector';
import { parseText } from '@gatehouse/connector/declarative';
import { connectorFrom, definitionSchema } from './index.ts';

export type Reply = { status?: number; body?: unknown };
/** Returns a response. `line` is the method and the path without the query; `nth` counts requests with that line. */
export type Answer = (line: string, nth: number, url: URL, body: string) => Reply | undefined;

/** Opens a definition whose application is a server in this process. A line without an answer gets 404. */
export async function openDefinition(
  definition: string,
  answer: Answer,
  {
    settings = {},
    slug,
    isKnown,
  }: { settings?: Record<string, unknown>; slug?: string; isKnown?: (id: string) => boolean } = {},
) {
  const lines: string[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const url = new URL(request.url ?? '', 'http://x');
    const line = `${request.method} ${decodeURIComponent(url.pathname)}`;
    lines.push(line);
    bodies.push(body);
    const nth = lines.filter((each) => each === line).length;
    const { status = 200, body: reply } = answer(line, nth, url, body) ?? { status: 404, body: {} };
    response.writeHead(status).end(reply === undefined ? '' : JSON.stringify(reply));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connector = connectorFrom(
    parseText(definition.replaceAll('URL_OF_TEST', url), 'app.yml', definitionSchema),
    {
      pause: 1,
      env: {},
    },
  );
  const { signal } = new AbortController();
  const system = await connector.connect(settings, { signal, log: silent });
  const [account = ''] = Object.keys(connector.accounts);
  const resourceType = slug ?? account;
  const context: TaskContext = { resourceType, signal, log: silent, ...(isKnown ? { isKnown } : {}) };
  const skipped: string[] = [];
  const list = async (type: string) => {
    const records: { id: string; [field: string]: unknown }[] = [];
    const types = { ...connector.groups, ...connector.licenses, ...connector.accounts };
    const skip = (id: string, why: string) => void skipped.push(`${id}: ${why}`);
    for await (const record of types[type]?.list(system, { from: undefined, signal, log: silent, skip }) ??
      [])
      records.push(record as never);
    return records;
  };
  return {
    tasks: connector.tasks ?? {},
    warnings: connector.warnings ?? [],
    system,
    context,
    lines,
    bodies,
    skipped,
    list,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns a shipped definition for a server of `openDefinition`. `address` matches the addresses that it contains. */
export function shipped(name: string, address: RegExp): string {
  const file = fileURLToPath(new URL(`./definitions/${name}.yml`, import.meta.url));
  const definition = readFileSync(file, 'utf8').replaceAll(address, 'URL_OF_TEST');
  return `${definition}\nlimits: { settle: 0.05 }\n`;
}
