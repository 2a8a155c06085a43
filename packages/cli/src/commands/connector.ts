import { commands, interruptible, runCommandLine } from '@gatehouse/connector';
import { Command } from 'commander';
import { loadConnector } from '../load-connector.ts';

/** What every connector can do (check, list, sync, push, watch, tasks, describe), for a connector named by its file. */
export function connectorCommands(): Command[] {
  return Object.entries(commands).map(([name, { summary, options }]) => {
    const command = new Command(name)
      .description(summary)
      .argument('<connector>', 'its file, its folder, or its package');
    for (const [flag, { type, value, multiple, description }] of Object.entries(options)) {
      const many = multiple ? '...' : '';
      command.option(
        type === 'boolean' ? `--${flag}` : `--${flag} <${value ?? 'value'}${many}>`,
        description,
      );
    }
    return command.action(async (path: string, flags: Record<string, unknown>) => {
      const { connector } = await loadConnector(path);
      const { env, stdin, stdout, stderr } = process;
      const terminal = { env, stdin, stdout, stderr, signal: interruptible() };
      process.exitCode = await runCommandLine(connector, [name, ...asArguments(flags)], terminal);
    });
  });
}

/** Flags as they were written, for the connector's own parser, which is the one that decides what they mean. */
function asArguments(flags: Record<string, unknown>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    return [value].flat().map((each) => `${flag}=${each}`);
  });
}
