import { createOwnerLink } from '#directory/sign-in/credentials/password-links.ts';
import { within } from '#kit/database.ts';
import { type Area, type Input, idOf, word } from './command.ts';

export const people: Area = {
  usage: `  people sign-in-link <email> [<slug>]
                                print a link with which an owner sets a new password, once, within an hour
  people sign-in-link <email> [<slug>] --remove-second-factor
                                also remove their one-time codes and passkeys, and end their sessions`,
  commands: {
    'people sign-in-link': linkCommand,
  },
};

async function linkCommand({ database: { db }, words, options, config, origin }: Input): Promise<string> {
  const email = word(words, 0);
  const slug = words[1] ?? config.org;
  const org = within(db, await idOf(db, slug));
  const link = await createOwnerLink(org, email, {
    isConfirmed: options.force,
    removesFactors: options['remove-second-factor'],
  });
  const path = slug === config.org ? '' : `/org/${slug}`;
  return [
    `${email} can set a new password at this address, once, until ${link.expires_at.toISOString()}. It is not shown again.`,
    '',
    `  ${origin}${path}/welcome#${link.token}`,
    '',
    'Setting the password ends their sessions and removes their passkeys. The event log records the link.',
  ].join('\n');
}
