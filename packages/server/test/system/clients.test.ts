// @module-tag long
import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openRunFolder } from '../keeper.ts';
import { ROOT, startService } from '../service.ts';

const GUIDE = 'docs/guides/clients.md';
/** The tools of the guide, which the console has as well. */
const TYPES = join(ROOT, 'packages/console/node_modules/openapi-typescript/bin/cli.js');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const STRICT = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--skipLibCheck'];

test(`the program in ${GUIDE} compiles with generated types, and runs`, { timeout: 180_000 }, async () => {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const service = await startService({ database: { dataDir: join(folder.path, 'data') } });
  onTestFinished(() => service.kill());
  const [, program = ''] = /^```ts\n(.*?)^```$/ms.exec(await readFile(join(ROOT, GUIDE), 'utf8')) ?? [];
  await writeFile(join(folder.path, 'story.ts'), program);
  await writeFile(join(folder.path, 'package.json'), '{"type": "module"}');
  await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
  /** Returns what a program prints. Throws with its output if it fails. */
  const node = async (parameters: string[], environment = {}) => {
    const options = { cwd: folder.path, env: { ...process.env, ...environment } };
    try {
      return (await promisify(execFile)(process.execPath, parameters, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${parameters[0]} failed.\n${stdout}${stderr}`);
    }
  };

  await node([
    TYPES,
    `${service.url}/openapi.json`,
    '--output',
    'gatehouse.ts',
    '--default-non-nullable=false',
  ]);
  const modules = ['--module', 'nodenext', '--target', 'esnext', '--allowImportingTsExtensions', '--noEmit'];
  await node([COMPILER, ...STRICT, ...modules, '--types', 'node', 'story.ts']);
  const output = await node(['story.ts'], { BASE: `${service.url}/org/acme`, KEY: service.key });
  expect(output).toMatch(/^Account of ada@clients\.example: [0-9a-f-]{36}$/m);
  expect(output).toMatch(/^Task create_account is pending$/m);
});
