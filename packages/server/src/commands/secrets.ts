import { addKeyToFile, dropOldKeys } from '#kit/secrets/key-file.ts';
import { openSecrets } from '#kit/secrets/secrets.ts';
import { rotateSecrets } from '#operate/organizations/rotate-secrets.ts';
import type { Area, Input } from './command.ts';

export const secrets: Area = {
  usage: `  secrets rotate                encrypt the data keys with the current GATEHOUSE_SECRET_KEY`,
  commands: {
    'secrets rotate': rotateCommand,
  },
};

async function rotateCommand({ database: { db }, secrets, config }: Input): Promise<string> {
  const { databaseUrl, secretKey, dataDir } = config;
  const usesFile = databaseUrl === undefined && secretKey === undefined;
  const current = usesFile ? openSecrets(await addKeyToFile(dataDir)) : secrets;
  const count = await rotateSecrets(db, current);
  if (usesFile) await dropOldKeys(dataDir);
  return [
    `${count} data keys were encrypted again. All data keys are now encrypted with the secret key ${current.keyId}.`,
    ...(usesFile ? [] : ['You can remove GATEHOUSE_SECRET_KEY_OLD from the settings of all servers.']),
  ].join('\n');
}
