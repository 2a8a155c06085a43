/** The program `gatehouse-server`: starts the server without a command or with `start`, and otherwise runs an operator's command. */
const [command, ...rest] = process.argv.slice(2);
if (command === undefined || (command === 'start' && rest.length === 0)) await import('./main.ts');
else {
  const { run } = await import('./cli.ts');
  process.umask(0o077);
  process.exitCode = await run([command, ...rest], process);
}

export {};
