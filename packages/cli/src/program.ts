import { Command } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { appsCommand } from './commands/apps.ts';
import { completionCommand } from './commands/completion.ts';
import { conformanceCommand } from './commands/conformance.ts';
import { connectorCommands } from './commands/connector.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events.ts';
import { initCommand } from './commands/init.ts';
import { loginCommand } from './commands/login.ts';

/** Every command of `gatehouse`. */
export function createProgram(): Command {
  const program = new Command('gatehouse')
    .description('Connect systems to Gatehouse, sync them, and follow what happens')
    .version('0.1.0')
    .enablePositionalOptions()
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 ok, 1 failed, 2 usage, 4 refused, 5 guard or abandoned, 6 conformance, 7 later, 130 interrupted.' +
        '\nSettings come from flags, then the environment, then files. Secrets never come from flags.',
    );
  const commands = [
    loginCommand(),
    initCommand(),
    ...connectorCommands(),
    appsCommand(),
    accountsCommand(),
    eventsCommand(),
    conformanceCommand(),
    doctorCommand(),
    completionCommand(),
  ];
  for (const command of commands) program.addCommand(throwing(command));
  return program;
}

/** So that a wrong flag of a subcommand ends with our exit code too. */
function throwing(command: Command): Command {
  command.exitOverride();
  for (const inner of command.commands) throwing(inner);
  return command;
}
