import { type Check, must, type Subject } from '../check.ts';
import { listAll } from '../read.ts';
import { accountType, check, perform } from './tools.ts';

/** How errors of code look, and pages that a person cannot read. */
const UNCLEAR =
  /^\s*(?:<|\{|undefined|null)|\[object |Unexpected token|Cannot read propert|is not a function|<html/i;

let used = 0;

async function refusesName(subject: Subject): Promise<void> {
  const { misfit } = subject.stage;
  if (typeof misfit !== 'function') return;
  const account = misfit(++used);
  const ids = async () =>
    ((await listAll(subject)).records.get(accountType(subject)) ?? []).map(({ id }) => id);
  const before = new Set(await ids());
  const { status, code, message } = await perform(subject, 'create_account', { account, memberships: {} });
  const name = account.username ?? account.email;
  const made = (await ids()).filter((id) => !before.has(id));
  must(
    status === 'failed',
    `the system refuses the name ${name}, and the creation was reported as ${status}`,
  );
  must(made.length === 0, `the creation failed (${message}) and left the account '${made[0]}' behind`);
  must(
    code !== 'ACCOUNT_ALREADY_EXISTS' && code !== 'ACCOUNT_NOT_FOUND',
    `the system refuses the name ${name}, and the creation reported ${code} ${message}`,
  );
  must(
    message.trim().includes(' ') && !UNCLEAR.test(message),
    `the system refuses the name ${name}, and the error does not say so: ${message.slice(0, 200)}`,
  );
}

const named = check(
  'write.name-refused',
  'a name that the system refuses fails the creation with a clear error and leaves no account',
  { tasks: ['create_account'] },
  refusesName,
);

/** Rules for the names of new accounts. */
export const nameChecks: Check[] = [
  {
    ...named,
    skip(subject) {
      const { misfit } = subject.stage;
      if (typeof misfit === 'function') return named.skip?.(subject);
      return named.skip?.(subject) ?? misfit ?? 'the fixture has no misfit()';
    },
  },
];
