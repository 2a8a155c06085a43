import { commands, interruptible, runCommandLine } from '@gatehouse/connector';
import { Command } from 'commander';
import { loadConnector } from '../load-connector.ts';

/** Returns the commands that every connector has (check, list, sync, push, watch, tasks, describe), given its file. */
export function connectorCommands(): Command[] {
  return Object.entries(commands).map(([name, { summary, options }]) => {
    const command = new Command(name)
      .description(summary)
      .argument('<connector>', 'file, folder or package of the connector');
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

/** Turns parsed flags back into arguments, because the connector's own parser interprets them. */
function asArguments(flags: Record<string, unknown>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    return [value].flat().map((each) => `${flag}=${each}`);
  });
}
