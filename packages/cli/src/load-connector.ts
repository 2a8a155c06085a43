import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Connector, Exit, Failure } from '@gatehouse/connector';
import { isDefinition, loadDefinition } from './definition.ts';

/** Returns the path of a module, given its file, its folder, or its package name as seen from the current folder. */
function locate(name: string): string {
  const path = resolve(name);
  for (const candidate of [path, resolve(path, 'connector.ts'), resolve(path, 'connector.js')]) {
    if (existsSync(candidate) && /\.[cm]?[jt]s$/.test(candidate)) return candidate;
  }
  try {
    return createRequire(resolve('package.json')).resolve(name);
  } catch {
    throw new Failure(
      `no connector found at "${name}"; give its file, its folder, its package name, or a YAML file`,
      Exit.usage,
    );
  }
}

/** Loads the connector that a definition describes, or that a module exports as `connector` or as its default export. */
export async function loadConnector(name: string): Promise<{ connector: Connector; file: string }> {
  if (isDefinition(name)) return loadDefinition(name);
  const file = locate(name);
  const loaded = (await import(pathToFileURL(file).href)) as { connector?: Connector; default?: Connector };
  const connector = loaded.connector ?? loaded.default;
  if (typeof connector?.connect !== 'function') {
    throw new Failure(
      `${file} exports no connector; add "export const connector = defineConnector(...)"`,
      Exit.usage,
    );
  }
  return { connector, file };
}
