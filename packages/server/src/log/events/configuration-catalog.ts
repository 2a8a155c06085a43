import { accessEvents } from './configuration/access.ts';
import { connectorEvents } from './configuration/connectors.ts';
import { decisionEvents } from './configuration/decisions.ts';
import { organizationEvents } from './configuration/organization.ts';
import { peopleEvents } from './configuration/people.ts';
import { receiverEvents } from './configuration/receivers.ts';

/**
 * The event types that the protocol does not name (D43): changes that administrators make and decisions that people
 * take. No type may begin like one of the protocol's, so that a prefix belongs to one catalog.
 */
export const configurationCatalog = {
  ...connectorEvents,
  ...decisionEvents,
  ...receiverEvents,
  ...accessEvents,
  ...peopleEvents,
  ...organizationEvents,
};
