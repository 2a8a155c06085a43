import { backUp, restore } from '#backup.ts';
import { readConfig } from '#config.ts';
import { type Area, word } from './command.ts';

export const backups: Area = {
  usage: `  backup <file>                 write the embedded database to a new file, without its secret key
  restore <file>                restore such a file into an empty data folder`,
  alone: {
    backup: ({ env }, words) => backUp(readConfig(env), word(words, 0)),
    restore: ({ env }, words) => restore(readConfig(env), word(words, 0)),
  },
};
