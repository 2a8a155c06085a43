// @module-tag servers
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openRunFolder } from '../keeper.ts';
import { remote } from '../remote.ts';
import { ROOT, startService } from '../service.ts';

const GUIDE = 'docs/guides/terraform.md';

const isInstalled = (program: string) => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Returns the blocks of code of the guide in a language. */
const blocksOf = (guide: string, language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);

test.runIf(['terraform', 'jq', 'curl'].every(isInstalled))(
  `the module in ${GUIDE} creates, changes, renames and deletes a webhook`,
  { timeout: 180_000 },
  async () => {
    const guide = await readFile(join(ROOT, GUIDE), 'utf8');
    const script = blocksOf(guide, 'sh').find((block) => block.startsWith('#!')) ?? '';
    const [module = '', root = ''] = blocksOf(guide, 'hcl');
    const folder = await openRunFolder();
    onTestFinished(folder.remove);
    await mkdir(join(folder.path, 'gatehouse'));
    await writeFile(join(folder.path, 'gatehouse/gatehouse.sh'), script);
    await writeFile(join(folder.path, 'gatehouse/main.tf'), module);
    await writeFile(join(folder.path, 'main.tf'), root);
    const service = await startService({ database: { dataDir: join(folder.path, 'data') } });
    onTestFinished(() => service.kill());
    const environment = { GATEHOUSE_URL: `${service.url}/org/acme`, GATEHOUSE_API_KEY: service.key };
    const env = { ...process.env, ...environment, TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };
    const terraform = async (...parameters: string[]) => {
      const run = promisify(execFile)('terraform', [...parameters, '-no-color'], { cwd: folder.path, env });
      return run.then(
        ({ stdout }) => stdout,
        ({ stdout, stderr }) => Promise.reject(new Error(`${stdout}${stderr}`)),
      );
    };
    const { call } = remote(service.url, service.key);
    const webhooks = async () => (await call('GET', '/api/webhooks/')).body.results;
    const change = (from: string, to: string) =>
      writeFile(join(folder.path, 'main.tf'), root.replace(from, to));

    await terraform('init');
    await terraform('apply', '-auto-approve');
    const [created, ...others] = await webhooks();
    expect(created).toMatchObject({ name: 'SIEM', url: 'https://siem.example.com/gatehouse' });
    expect(others).toEqual([]);
    expect(await terraform('apply', '-auto-approve')).toContain('No changes.');

    await change('example.com/gatehouse', 'example.com/other');
    await terraform('apply', '-auto-approve');
    expect(await webhooks()).toMatchObject([{ id: created.id, url: 'https://siem.example.com/other' }]);

    await change('"SIEM"', '"Security"');
    await terraform('apply', '-auto-approve');
    expect(await webhooks()).toMatchObject([{ name: 'Security' }]);

    const twin = { name: 'Security', url: 'https://siem.example.com/twin' };
    const { body } = await call('POST', '/api/webhooks/', twin);
    await expect(terraform('destroy', '-auto-approve')).rejects.toThrow('Rename all but one.');
    await call('DELETE', `/api/webhooks/${body.id}/`);
    await terraform('destroy', '-auto-approve');
    expect(await webhooks()).toEqual([]);
  },
);
