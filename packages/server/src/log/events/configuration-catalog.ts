import { accessEvents } from './configuration/access.ts';
import { connectorEvents } from './configuration/connectors.ts';
import { decisionEvents } from './configuration/decisions.ts';
import { organizationEvents } from './configuration/organization.ts';
import { peopleEvents } from './configuration/people.ts';
import { receiverEvents } from './configuration/receivers.ts';

/**
 * The event types that the protocol does not name (D43): changes that administrators make and decisions that people
 * take. Only `session.login.unsolicited` (D86) begins like types of the protocol: their prefixes find it with `catalog` only (filters.ts).
 */
export const configurationCatalog = {
  ...connectorEvents,
  ...decisionEvents,
  ...receiverEvents,
  ...accessEvents,
  ...peopleEvents,
  ...organizationEvents,
};
