export { checkDefinition, connectorFrom } from './build.ts';
export { definitionSchema, parseDefinition, readDefinition } from './definition.ts';
