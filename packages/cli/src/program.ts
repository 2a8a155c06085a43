import { VERSION } from '@gatehouse/connector';
import { Command } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { appsCommand } from './commands/apps.ts';
import { completionCommand } from './commands/completion.ts';
import { conformanceCommand } from './commands/conformance.ts';
import { connectorCommands } from './commands/connector.ts';
import { checkCommand } from './commands/definitions-check.ts';
import { tryCommand } from './commands/definitions-try.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events.ts';
import { grantsCommand } from './commands/grants.ts';
import { initCommand } from './commands/init.ts';
import { loginCommand } from './commands/login.ts';
import { offboardCommand } from './commands/offboard.ts';
import { proofCommand } from './commands/proof.ts';

/** Returns the `gatehouse` program with every command. */
export function createProgram(): Command {
  const program = new Command('gatehouse')
    .description('Connect applications to Gatehouse, sync them, and follow the event log')
    .version(VERSION)
    .enablePositionalOptions()
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 ok, 1 failed, 2 usage error, 4 key rejected, 5 stopped by the guard or abandoned, 6 not conformant, 7 retry later, 130 interrupted.' +
        '\nSettings come from flags, then the environment, then files. Secrets never come from flags.',
    );
  const commands = [
    loginCommand(),
    initCommand(),
    ...connectorCommands(),
    definitionsCommand(),
    appsCommand(),
    accountsCommand(),
    grantsCommand(),
    proofCommand(),
    offboardCommand(),
    eventsCommand(),
    conformanceCommand(),
    doctorCommand(),
    completionCommand(),
  ];
  for (const command of commands) program.addCommand(exitByThrowing(command));
  return program;
}

/** Makes a usage error of any subcommand end with our exit code. */
function exitByThrowing(command: Command): Command {
  command.exitOverride();
  for (const inner of command.commands) exitByThrowing(inner);
  return command;
}

/** Returns `gatehouse connector`, for the authors of definitions. */
function definitionsCommand(): Command {
  return new Command('connector')
    .description('check and try a YAML file that describes an application')
    .addCommand(checkCommand())
    .addCommand(tryCommand());
}
