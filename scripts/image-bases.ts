// Makes stand-ins for the images that the Dockerfile and compose.yaml take from a registry, for machines that reach none: from
// Debian's packages, and the npm packages of Node.js and PostgreSQL. They have the names of the images, and are kept apart from the
// machine's own. Needs root, and the programs that it names if they are missing.
//
//   npm run image-bases               makes those that are missing or out of date
//   npm run image-bases -- --remove   removes them, and the images and containers of tests
import { rm } from 'node:fs/promises';
import { makeBases } from './images/bases.ts';
import { HOME, missingHere, podman } from './images/podman.ts';

const missing = missingHere();
if (missing !== undefined) {
  console.error(missing);
  process.exitCode = 1;
} else if (process.argv.includes('--remove')) {
  for (const kind of ['pod', 'container', 'volume', 'image']) await podman(kind, 'rm', '--all', '--force');
  await rm(HOME, { recursive: true });
} else {
  await makeBases(console.log);
}
