import { text } from 'node:stream/consumers';
import { counted, createService, Exit, Failure, silent } from '@gatehouse/connector';
import { Command } from 'commander';
import { deleteLogin, loginFile, saveLogin } from '../credentials.ts';
import { print, printError } from '../service.ts';

type Flags = { keyring: boolean; forget?: true };

export function loginCommand(): Command {
  return new Command('login')
    .description('save the address and API key of a service for all other commands')
    .argument('[url]', 'base address of the organization, such as https://host/org/acme')
    .option('--no-keyring', 'save the key in a file that only you can read')
    .option('--forget', 'delete the saved address and key')
    .addHelpText('after', '\nThe command asks for the key, or reads it from standard input.')
    .action(async (url: string | undefined, flags: Flags) => {
      if (flags.forget) {
        print((await deleteLogin(process.env)) ? 'Login deleted.' : 'No saved login.');
        return;
      }
      if (!url || !URL.canParse(url))
        throw new Failure('give the base URL of the organization, such as https://host/org/acme', Exit.usage);
      const key = (await askForKey()).trim();
      if (!key) throw new Failure('no API key was given', Exit.usage);
      const service = createService({
        url,
        key,
        log: silent,
        signal: new AbortController().signal,
        attempts: 2,
      });
      const apps = await service.listApps();
      const where = await saveLogin({ url: url.replace(/\/+$/, ''), key }, process.env, flags.keyring);
      const place =
        where === 'keyring'
          ? "in the system's keyring"
          : `in ${loginFile(process.env)}, which only you can read`;
      print(`The key works (${counted(apps.length, 'app')}). It is saved ${place}.`);
    });
}

function askForKey(): Promise<string> {
  return process.stdin.isTTY ? hidden('API key: ') : text(process.stdin);
}

/** Reads a line without echoing it. */
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
      printError('');
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
