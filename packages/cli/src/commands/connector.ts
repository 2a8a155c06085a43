import { commands, interruptible, runCommandLine } from '@gatehouse/connector';
import { Command } from 'commander';
import { asArguments, optionOf } from '../flags.ts';
import { loadConnector } from '../load-connector.ts';

/** Returns the commands that every connector has (check, list, sync, push, watch, tasks, describe), given its file. */
export function connectorCommands(): Command[] {
  return Object.entries(commands).map(([name, { summary, options }]) => {
    const command = new Command(name)
      .description(summary)
      .argument('<connector>', 'file, folder or package of the connector, or a YAML file');
    for (const [flag, option] of Object.entries(options)) command.addOption(optionOf(flag, option));
    return command.action(async (path: string, flags: Record<string, unknown>) => {
      const { connector } = await loadConnector(path);
      const { env, stdin, stdout, stderr } = process;
      const terminal = { env, stdin, stdout, stderr, signal: interruptible() };
      process.exitCode = await runCommandLine(connector, [name, ...asArguments(flags)], terminal);
    });
  });
}
