import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Connector, Exit, Failure, readConfig } from '@gatehouse/connector';
import {
  asJUnit,
  asTable,
  type Fixture,
  runConformance,
  type Stage,
  tally,
} from '@gatehouse/connector/conformance';
import { Command } from 'commander';
import pc from 'picocolors';
import { isDefinition } from '../definition.ts';
import { loadConnector } from '../load-connector.ts';
import { print, printError } from '../service.ts';

type Flags = { fixture?: string; write?: true; only?: string[]; json?: true; junit?: true };

export function conformanceCommand(): Command {
  return new Command('conformance')
    .description(
      'check a connector against every requirement; with --write, also change accounts in its system',
    )
    .argument('<connector>', 'file, folder or package of the connector, or a YAML file')
    .option(
      '--fixture <file>',
      'module that exports `fixture`: a system to test on and an independent way to inspect it',
    )
    .option('--write', 'let the checks create, change and delete accounts in the system')
    .option('--only <prefix...>', 'only checks whose id starts with this')
    .option('--json', 'print JSON')
    .option('--junit', 'print JUnit XML')
    .action(async (path: string, { fixture, write, only, json, junit }: Flags) => {
      const { connector, file } = await loadConnector(path);
      const started = fixture ? await (await loadFixture(fixture)).start() : fromEnvironment(connector);
      const stage = isDefinition(path) ? withDefinition(started, resolve(path)) : started;
      const quiet = json || junit;
      try {
        const findings = await runConformance({
          connector,
          file,
          stage,
          writing: write === true,
          ...(only ? { only } : {}),
          onFinding: ({ id, outcome }) => {
            if (!quiet && process.stderr.isTTY)
              printError(`${outcome === 'failed' ? pc.red(outcome) : pc.dim(outcome)}  ${id}`);
          },
        });
        if (json) print(JSON.stringify(findings, null, 2));
        else if (junit) print(asJUnit(connector.name, findings));
        else print(asTable(findings));
        if (quiet) printError(tally(findings));
        if (findings.some(({ outcome }) => outcome === 'failed')) process.exitCode = Exit.conformance;
      } finally {
        await stage.stop();
      }
    });
}

async function loadFixture(path: string): Promise<Fixture> {
  const { fixture } = (await import(pathToFileURL(resolve(path)).href)) as { fixture?: Fixture };
  if (typeof fixture?.start !== 'function') throw new Failure(`${path} exports no fixture`, Exit.usage);
  return fixture;
}

/** Checks the given definition, whichever one the fixture was written for. */
function withDefinition(stage: Stage, definition: string): Stage {
  const { settings, weakSettings } = stage;
  return {
    ...stage,
    settings: { ...settings, definition },
    ...(weakSettings ? { weakSettings: { ...weakSettings, definition } } : {}),
  };
}

/** Uses the system that the connector's environment variables name. It can only be read. */
function fromEnvironment(connector: Connector): Stage {
  const settings = readConfig(connector.name, connector.config, {
    flags: {},
    env: process.env,
    file: {},
    stdin: {},
  });
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { settings: Object.fromEntries(given), stop: async () => {} };
}
