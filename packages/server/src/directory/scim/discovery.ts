import { notFound } from '#kit/errors.ts';
import { MOST_BULK_BYTES, MOST_BULK_OPERATIONS } from './bulk.ts';
import type { Resource } from './resource.ts';
import { type ResourceType, TYPES } from './schema.ts';
import { type Found, MOST_RESULTS } from './search.ts';

/** Describes the service provider (RFC 7643, 5). */
export const serviceProviderConfig = (base: string): Resource => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: true, maxOperations: MOST_BULK_OPERATIONS, maxPayloadSize: MOST_BULK_BYTES },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description: 'A Gatehouse API key with the scope scim, as a bearer token.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

const list = (resources: Resource[]): Found => ({ total: resources.length, resources });

export const resourceTypes = (base: string): Found => list(TYPES.map((type) => resourceType(type, base)));

const extensionsOf = ({ extension, own }: ResourceType) =>
  [extension, own].filter((one) => one !== undefined);

const resourceType = (type: ResourceType, base: string): Resource => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: type.name,
  name: type.name,
  endpoint: type.endpoint,
  description: type.description,
  schema: type.schema,
  schemaExtensions: extensionsOf(type).map(({ schema }) => ({ schema, required: false })),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.name}` },
});

export const schemas = (base: string): Found =>
  list(
    TYPES.flatMap((type) => [
      { id: type.schema, name: type.schemaName, description: type.description, attributes: type.attributes },
      ...extensionsOf(type).map(({ schema, ...extension }) => ({ id: schema, ...extension })),
    ]).map((schema) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      ...schema,
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
    })),
  );

/** Returns the resource type or schema with this id. Throws 404 if there is none. */
export function one({ resources }: Found, id: string): Resource {
  const found = resources.find((resource) => String(resource.id).toLowerCase() === id.toLowerCase());
  if (found === undefined) throw notFound('Resource');
  return found;
}
