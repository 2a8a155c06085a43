import { findConnectorNetworks } from '#directory/access/organization-facts.ts';
import { setConnectorNetworks } from '#directory/access/organization-state.ts';
import { type Area, type Input, idOf, word } from './command.ts';

export const connectors: Area = {
  usage: `  connectors networks <slug>    show which addresses that are not public the connectors of an organization may reach
  connectors networks <slug> <networks> | none | default
                                set them, such as 10.1.2.3,10.20.0.0/16, instead of GATEHOUSE_ALLOW_PRIVATE_ADDRESSES; "default" ends this`,
  commands: {
    'connectors networks': networksCommand,
  },
};

async function networksCommand({ database: { db }, words }: Input): Promise<string> {
  const slug = word(words, 0);
  const given = words[1];
  const id = await idOf(db, slug);
  if (given !== undefined) await setConnectorNetworks(db, id, networksOf(given));
  const networks = await findConnectorNetworks(db, id);
  if (networks === null)
    return `Connectors of ${slug} may reach public addresses and those in GATEHOUSE_ALLOW_PRIVATE_ADDRESSES.`;
  return `Connectors of ${slug} may reach public addresses${networks.length === 0 ? ' only' : ` and ${networks.join(', ')}`}.`;
}

function networksOf(given: string): string[] | null {
  if (given === 'default') return null;
  return given === 'none' ? [] : given.split(',').map((part) => part.trim());
}
