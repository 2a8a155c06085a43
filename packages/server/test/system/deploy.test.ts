import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { openTestApp } from '../app.ts';
import { ROOT } from '../service.ts';

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a file.
const yaml = (file: string): any => parse(read(file), { uniqueKeys: true, strict: true });

describe('the dashboard and the alert rules', () => {
  const dashboard = JSON.parse(read('deploy/grafana/gatehouse.json'));
  const rules: { alert: string; expr: string; annotations: { runbook: string } }[] = yaml(
    'deploy/prometheus/alerts.yaml',
  ).groups.flatMap(({ rules }: { rules: unknown[] }) => rules);
  const ofDashboard: string[] = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }: { expr: string }) => expr),
  );
  const expressions = [...ofDashboard, ...rules.map(({ expr }) => expr)];

  test.each(expressions)('%s is valid PromQL', (expression) => {
    const filled = expression.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'gatehouse');

    const wrong: string[] = [];
    parser.parse(filled).iterate({
      enter: ({ type, from, to }) => {
        if (type.isError) wrong.push(filled.slice(from, to));
      },
    });
    expect(wrong).toEqual([]);
  });

  test('name only metrics and labels that /metrics has', async () => {
    const service = await openTestApp({ jobs: true, own: true });
    onTestFinished(() => service.close());
    await service.call('GET', '/api/v1/bridge/apps/');
    const { payload } = await service.app.http.inject('/metrics');
    const names = new Set([...payload.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const { query } = dashboard.templating.list[1];

    const used = [...expressions, query.query].flatMap((expression) => [
      ...expression.matchAll(/\b(?:gatehouse|process|nodejs)_\w+/g),
    ]);
    const missing = used
      .map(([name]) => name.replace(/_(bucket|sum|count)$/, ''))
      .filter((name) => !names.has(name));
    expect(used.length).toBeGreaterThan(30);
    expect(missing).toEqual([]);
    const labels = new Set([...payload.matchAll(/[{,](\w+)="/g)].map(([, label]) => label));
    const byPrometheus = ['job', 'instance'];
    const matched = expressions.flatMap((expression) => [
      ...[...expression.matchAll(/[{,](\w+)=~?"/g)].map(([, label]) => label),
      ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */)),
    ]);
    // A run of a job has the label result. None has ended yet.
    expect(
      matched.filter((label) => ![...labels, ...byPrometheus, 'result'].includes(label as string)),
    ).toEqual([]);
  });

  test('no two panels have the same id or place, and every alert has a severity and a text', () => {
    const places = dashboard.panels.map(({ gridPos }: { gridPos: object }) => JSON.stringify(gridPos));
    const ids = dashboard.panels.map(({ id }: { id: number }) => id);

    expect(new Set(places).size).toBe(places.length);
    expect(new Set(ids).size).toBe(ids.length);
    for (const rule of rules) {
      expect(rule).toMatchObject({
        labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
        annotations: { summary: expect.any(String), description: expect.any(String) },
      });
    }
  });

  test('every alert has a section in the runbook, to which its annotation leads', () => {
    const [, alerts = ''] = /^## Alerts$(.*?)^## /ms.exec(read('docs/guides/runbook.md')) ?? [];
    const sections = [...alerts.matchAll(/^### (.+)$/gm)].map(([, name]) => name);

    expect(sections).toEqual(rules.map(({ alert }) => alert));
    expect(rules.map(({ annotations }) => annotations.runbook)).toEqual(
      rules.map(({ alert }) => `/help/guides/runbook#${alert.toLowerCase()}`),
    );
  });

  test('every section of the runbook answers the same questions', () => {
    const [, ...sections] = read('docs/guides/runbook.md').split(/^### /m);
    const questions = ['It means:', 'Affected:', 'Look', 'Do:', 'It is over when', 'Do not'];

    expect(sections.length).toBeGreaterThan(rules.length);
    for (const section of sections) {
      const missing = questions.filter((question) => !section.includes(`**${question}`));
      expect({ section: section.split('\n')[0], missing }).toMatchObject({ missing: [] });
    }
  });
});

describe('the Kubernetes manifest', () => {
  const FOLDER = 'deploy/kubernetes/';
  const { resources } = yaml(`${FOLDER}kustomization.yaml`) as { resources: string[] };
  const objects = resources.map((file) => yaml(FOLDER + file));
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;
  const dockerfile = read('Dockerfile');

  test('lists all of its files', () => {
    expect(readdirSync(`${ROOT}${FOLDER}`).sort()).toEqual(['kustomization.yaml', ...resources].sort());
  });

  test('has only fields and values that Kubernetes knows', async () => {
    const wrong = structuredClone(deployment);
    wrong.spec.template.spec.containers[0].readinessProb = {};

    expect(await typeErrors(objects)).toBe('');
    expect(await typeErrors([wrong])).toMatch(/"readinessProb".* does not exist in type 'Container'/);
  });

  test('runs without privileges, as the user of the image', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: Number(/useradd .*--uid (\d+)/.exec(dockerfile)?.[1]),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  test('uses the port and the settings of Gatehouse, and takes secrets by reference', () => {
    const settings = read('docs/reference/configuration.md');
    expect(container.ports).toEqual([
      { name: 'http', containerPort: Number(/EXPOSE (\d+)/.exec(dockerfile)?.[1]) },
    ]);
    for (const { name, value } of container.env) {
      expect(settings).toContain(`\`${name}\``);
      if (/KEY|DATABASE|PASSWORD/.test(name)) expect(value).toBeUndefined();
    }
  });

  test('lets the server write to its data folder', () => {
    const folder = /GATEHOUSE_DATA_DIR=(\S+)/.exec(dockerfile)?.[1];
    const mount = container.volumeMounts.find(({ mountPath }: { mountPath: string }) => mountPath === folder);

    expect(mount?.readOnly ?? false).toBe(false);
    expect(pod.volumes.map(({ name }: { name: string }) => name)).toContain(mount?.name);
  });

  test('lets connectors reach directories and databases', () => {
    const { egress } = objects.find(({ kind }) => kind === 'NetworkPolicy').spec;
    const anywhere = egress
      .filter(({ to }: { to?: object }) => to === undefined)
      .flatMap(({ ports }: { ports: { port: number }[] }) => ports.map(({ port }) => port));

    expect(anywhere).toEqual(expect.arrayContaining([389, 636, 3306, 5432, 1433, 1521]));
  });

  test('every selector finds the pods', () => {
    const { labels } = deployment.spec.template.metadata;
    const selectors = objects.flatMap(({ spec }) => [
      ...(spec?.selector === undefined ? [] : [spec.selector.matchLabels ?? spec.selector]),
      ...(spec?.podSelector === undefined ? [] : [spec.podSelector.matchLabels]),
    ]);
    expect(selectors).toHaveLength(4);
    for (const selector of selectors) expect(labels).toMatchObject(selector);
  });

  test('the probes ask addresses that exist', async () => {
    const service = await openTestApp();
    onTestFinished(() => service.close());

    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet;
      expect(port).toBe('http');
      expect((await service.app.http.inject(path)).statusCode).toBe(200);
    }
  });
});

describe('the service of systemd', () => {
  const FOLDER = `${ROOT}deploy/systemd/`;
  const install = async (to: string) =>
    promisify(execFile)('sh', [`${FOLDER}install.sh`], { env: { PATH: process.env.PATH, DESTDIR: to } });
  const installed = async () => {
    const to = await mkdtemp(join(tmpdir(), 'gatehouse-systemd-'));
    onTestFinished(() => rm(to, { recursive: true, force: true }));
    await install(to);
    return to;
  };

  test('finds its settings, its user and its folders where the script puts them', async () => {
    const to = await installed();
    const unit = readFileSync(`${to}/etc/systemd/system/gatehouse.service`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

    const settings = readFileSync(`${to}${field('EnvironmentFile')}`, 'utf8');
    expect(settings).toContain(`GATEHOUSE_DATA_DIR=/var/lib/${field('StateDirectory')}\n`);
    expect(readFileSync(`${to}/usr/lib/sysusers.d/gatehouse.conf`, 'utf8')).toMatch(
      new RegExp(`^u ${field('User')} `),
    );
    expect(readFileSync(`${to}/usr/lib/tmpfiles.d/gatehouse.conf`, 'utf8')).toContain(
      `d ${field('LoadCredential')?.split(':')[1]} 0700 root root`,
    );
  });

  test('keeps changed settings when it is installed again', async () => {
    const to = await installed();
    await writeFile(`${to}/etc/gatehouse/gatehouse.env`, 'PORT=9000\n');
    await install(to);
    expect(readFileSync(`${to}/etc/gatehouse/gatehouse.env`, 'utf8')).toBe('PORT=9000\n');
  });
});

describe('the settings of the server', () => {
  const settings = [...read('packages/server/src/config.ts').matchAll(/get\('([A-Z_]+)'\)/g)].map(
    ([, name = '']) => name,
  );

  test('are all in docs/reference/configuration.md', () => {
    const described = read('docs/reference/configuration.md');

    expect(settings.length).toBeGreaterThan(25);
    expect(settings.filter((name) => !described.includes(`\`${name}\``))).toEqual([]);
  });

  test('are all in the settings of the service, which sets the data folder only', () => {
    const file = read('deploy/systemd/gatehouse.env');
    const named = [...file.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);

    expect(settings.filter((name) => !named.includes(name))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
    expect([...file.matchAll(/^[A-Z_]+=.*$/gm)].map(([line]) => line)).toEqual([
      'GATEHOUSE_DATA_DIR=/var/lib/gatehouse',
    ]);
  });

  test('all reach the container of compose.yaml, apart from those of the image', () => {
    const ofImage = /^ENV (.*)$/m.exec(read('Dockerfile'))?.[1]?.matchAll(/(\w+)=/g) ?? [];
    const passed = [
      ...Object.keys(yaml('compose.yaml').services.gatehouse.environment),
      ...[...ofImage].map(([, name]) => name),
    ];

    expect(settings.filter((name) => !passed.includes(name))).toEqual([]);
  });
});

test('the installed command gives the server the same options as npm start, and the image runs it', () => {
  const optionsOf = (text: string) => text.match(/--[\w-]+=\d+/g);
  const command = read('scripts/packs/gatehouse-server');
  const { start } = JSON.parse(read('package.json')).scripts;

  expect(optionsOf(command)?.length).toBeGreaterThan(0);
  expect(optionsOf(command)).toEqual(optionsOf(start));
  expect(command).toContain(`:-${/MALLOC_TRIM_THRESHOLD_=(\d+)/.exec(start)?.[1]}}`);
  expect(read('Dockerfile')).toMatch(/^ENTRYPOINT \["gatehouse-server"\]$/m);
});

test('the secrets of Compose in .env stay out of the image and the repository', () => {
  expect(read('.gitignore').split('\n')).toContain('.env');
  const lines = read('.dockerignore').split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    '*',
    '!dist-release/gatehouse-server-*.tgz',
  ]);
});

/** Compiles objects of Kubernetes against its types, version 1.30. Returns what the compiler prints. */
async function typeErrors(objects: { apiVersion: string; kind: string }[]): Promise<string> {
  const cache = `${ROOT}node_modules/.cache/gatehouse/`;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(`${cache}manifest-`);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, module: 'preserve', types: [] };
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['manifest.ts'] }));
  const lines = objects.map((object, i) => {
    const group = object.apiVersion.replace('.k8s.io', '').replace(/^v1$/, 'core/v1');
    return `export const object${i}: import('kubernetes-types/${group}').${object.kind} = ${JSON.stringify(object)};`;
  });
  await writeFile(`${folder}/manifest.ts`, lines.join('\n'));
  const compiler = `${ROOT}node_modules/typescript/bin/tsc`;
  return promisify(execFile)(process.execPath, [compiler, '--project', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}
