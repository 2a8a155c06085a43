import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { silent, type TaskContext, type Unseen, type Wanted } from '@gatehouse/connector';
import { type Answer, startScriptedServer } from '@gatehouse/connector/conformance';
import { parseText } from '@gatehouse/connector/declarative';
import { afterEach } from 'vitest';
import { connectorFrom, definitionSchema } from '../index.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Opens a definition whose application is a server in this process, until the test ends. A line without an answer gets 404. */
export async function openDefinition(
  definition: string,
  answer: Answer,
  {
    settings = {},
    slug,
    isKnown,
  }: { settings?: Record<string, unknown>; slug?: string; isKnown?: (id: string) => boolean } = {},
) {
  const { url, lines, requests, close } = await startScriptedServer(answer);
  cleanups.push(close);
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
  const reports = { unseen: [] as Unseen[], shifts: new Set<string>() };
  /** The last count of a slug, id and rule holds. */
  const unseen = (what: Unseen) => {
    const isSame = ({ slug, id, rule }: Unseen) => slug === what.slug && id === what.id && rule === what.rule;
    reports.unseen = [...reports.unseen.filter((each) => !isSame(each)), what];
  };
  const list = async (type: string) => {
    const records: { id: string; [field: string]: unknown }[] = [];
    const types = { ...connector.groups, ...connector.licenses, ...connector.accounts };
    const skip = (id: string, why: string) => void skipped.push(`${id}: ${why}`);
    const mayShift = () => void reports.shifts.add(type);
    const context = { from: undefined, signal, log: silent, skip, unseen, mayShift };
    for await (const record of types[type]?.list(system, context) ?? []) records.push(record as never);
    return records;
  };
  return {
    tasks: connector.tasks ?? {},
    get: (id: string, wanted?: Wanted) => connector.accounts[resourceType]?.get?.(system, id, wanted),
    warnings: connector.warnings ?? [],
    system,
    context,
    lines,
    requests,
    skipped,
    reports,
    list,
  };
}

/** Returns a shipped definition for a server of `openDefinition`. `address` matches the addresses that it contains. */
export function shipped(name: string, address: RegExp): string {
  const file = fileURLToPath(new URL(`../definitions/${name}.yml`, import.meta.url));
  const definition = readFileSync(file, 'utf8').replaceAll(address, 'URL_OF_TEST');
  return `${definition}\nlimits: { settle: 0.05 }\n`;
}
