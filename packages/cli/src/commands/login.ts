import { text } from 'node:stream/consumers';
import { createService, Exit, Failure, silent } from '@gatehouse/connector';
import { Command } from 'commander';
import { forget, loginFile, remember } from '../credentials.ts';
import { print, tell } from '../service.ts';

type Flags = { keyring: boolean; forget?: true };

export function loginCommand(): Command {
  return new Command('login')
    .description('keep the address and the key of a service, for all other commands')
    .argument('[url]', 'base address of the organization, such as https://host/org/acme')
    .option('--no-keyring', 'keep the key in a file that only you may read')
    .option('--forget', 'forget both')
    .addHelpText('after', '\nThe key is asked for, or read from standard input.')
    .action(async (url: string | undefined, flags: Flags) => {
      if (flags.forget) {
        print((await forget(process.env)) ? 'forgotten' : 'there was nothing to forget');
        return;
      }
      if (!url || !URL.canParse(url))
        throw new Failure('login takes the base address of the organization', Exit.usage);
      const key = (await askForKey()).trim();
      if (!key) throw new Failure('no key was given', Exit.usage);
      const service = createService({
        url,
        key,
        log: silent,
        signal: new AbortController().signal,
        attempts: 2,
      });
      const apps = await service.listApps();
      const where = await remember({ url: url.replace(/\/+$/, ''), key }, process.env, flags.keyring);
      const place =
        where === 'keyring'
          ? "in the system's keyring"
          : `in ${loginFile(process.env)}, readable by you alone`;
      print(`The key works (${apps.length} apps) and is kept ${place}.`);
    });
}

function askForKey(): Promise<string> {
  return process.stdin.isTTY ? hidden('API key: ') : text(process.stdin);
}

/** Reads a line that does not show. */
function hidden(question: string): Promise<string> {
  const { stdin } = process;
  process.stderr.write(question);
  stdin.setRawMode(true);
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = (then: () => void) => {
      stdin.setRawMode(false);
      stdin.pause();
      stdin.off('data', onData);
      tell('');
      then();
    };
    const onData = (chunk: Buffer) => {
      for (const char of chunk.toString('utf8')) {
        if (char === '\r' || char === '\n') return end(() => resolve(typed));
        if (char === '\u0003') return end(() => reject(new Failure('interrupted', Exit.interrupted)));
        typed = char === '\u007f' ? typed.slice(0, -1) : typed + char;
      }
    };
    stdin.on('data', onData);
  });
}
