// Checks the packages that a release contains: no new install script, no package without a checksum, no license that does not fit. Writes
// dist-release/sbom.cdx.json (CycloneDX 1.5) and dist-release/licenses.md, for the packages of a running Gatehouse.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type BillOfMaterials, licenseProblems, licenseTable } from './release/licenses.ts';
import { problemsOf } from './release/lock-file.ts';

const ROOT = new URL('../', import.meta.url);
const FOLDER = new URL('dist-release/', ROOT);

const sbom = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const materials = JSON.parse(sbom) as BillOfMaterials;
const problems = [
  ...problemsOf(JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8'))),
  ...licenseProblems(materials),
];

mkdirSync(FOLDER, { recursive: true });
writeFileSync(new URL('sbom.cdx.json', FOLDER), sbom);
writeFileSync(new URL('licenses.md', FOLDER), licenseTable(materials));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else
  console.log(
    `${materials.components.length} packages are listed in dist-release/sbom.cdx.json and licenses.md.`,
  );
