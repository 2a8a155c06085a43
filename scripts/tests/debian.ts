import { spawnSync } from 'node:child_process';

/**
 * Installs the groups of Debian packages that are missing, each alone, so that one which cannot be installed does not affect the
 * others. Prints a sentence for each group that stays missing.
 */
export function installPackages(groups: string[][]): void {
  const missing = groups
    .map((group) => group.filter((name) => !isInstalled(name)))
    .filter(({ length }) => length > 0);
  if (missing.length === 0) return;
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['update', '-qq']).status === 0;
  for (const names of missing) {
    if (!mayInstall || !install(names))
      console.log(
        `Missing: ${names.join(', ')}. Tests that need them are skipped (apt-get install ${names.join(' ')}).`,
      );
  }
}

const isInstalled = (name: string) => fieldOf(name, 'db:Status-Status') === 'installed';

const fieldOf = (name: string, field: string) =>
  spawnSync('dpkg-query', ['-W', `-f=\${${field}}`, name], { encoding: 'utf8' }).stdout ?? '';

function install(names: string[]): boolean {
  console.log(`Installing ${names.join(', ')}.`);
  // RUNLEVEL=1 keeps the installed services from starting: the tests start their own. BUNDLER_VERSION is for Redmine, because the
  // Bundler inside Ruby does not find Debian's gems.
  const environment = {
    RUNLEVEL: '1',
    DEBIAN_FRONTEND: 'noninteractive',
    BUNDLER_VERSION: fieldOf('ruby-bundler', 'Version').replace(/-.*/, ''),
  };
  const { status } = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 600_000,
  });
  return status === 0;
}
