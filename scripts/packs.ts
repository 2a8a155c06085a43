// Makes the packages of a release in dist-release: npm installs them without a copy of this repository (docs/guides/install.md).
//
//   npm run packs              all packages, and SHA256SUMS
//   npm run packs -- server    the package of the server only, for the image
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './packs/manifest.ts';
import { packInto } from './packs/pack.ts';

const folder = join(ROOT, 'dist-release');
for (const name of packInto(folder, { clients: !process.argv.includes('server') })) {
  const megabytes = statSync(join(folder, name)).size / 1e6;
  console.log(`${megabytes.toFixed(1).padStart(6)} MB  dist-release/${name}`);
}
