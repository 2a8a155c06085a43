import { Command } from 'commander';
import { checkCommand } from './definitions-check.ts';
import { tryCommand } from './definitions-try.ts';

/** Returns `gatehouse connector`, for the authors of definitions. */
export function definitionsCommand(): Command {
  return new Command('connector')
    .description('check and try a YAML file that describes an application')
    .addCommand(checkCommand())
    .addCommand(tryCommand());
}
