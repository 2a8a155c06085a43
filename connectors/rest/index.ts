export { type ConnectorOptions, checkDefinition, connectorFrom } from './connector-from.ts';
export { type Definition, definitionSchema } from './definition.ts';
