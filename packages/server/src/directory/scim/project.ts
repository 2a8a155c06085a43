import { isObject, type Resource } from './resource.ts';
import { type Place, placeOf, type ResourceType } from './schema.ts';

/** The attributes that a client requests (RFC 7644, 3.9). */
export interface Projection {
  attributes: string[];
  excluded: string[];
}

/** Returns the requested parts of a resource, and always `schemas` and `id`. Ignores unknown names. */
export function project(
  type: ResourceType,
  resource: Resource,
  { attributes, excluded }: Projection,
): Resource {
  const places = (names: string[]) => names.flatMap((name) => placeOf(type, name) ?? []);
  if (attributes.length > 0) {
    const wanted: Resource = { schemas: resource.schemas, id: resource.id };
    for (const place of places(attributes)) copy(type, place, resource, wanted);
    return wanted;
  }
  const removed = places(excluded);
  if (removed.length === 0) return resource;
  const rest = structuredClone(resource);
  for (const place of removed) remove(type, place, rest);
  return rest;
}

/** Returns whether a projection includes an attribute. Attributes that it excludes need not be loaded. */
export function includes(type: ResourceType, name: string, { attributes, excluded }: Projection): boolean {
  const names = (list: string[]) =>
    list.some((one) => {
      const place = placeOf(type, one);
      return place?.attribute?.name === name && !place.extension;
    });
  if (attributes.length > 0) return names(attributes);
  return !excluded.some((one) => {
    const place = placeOf(type, one);
    return place?.attribute?.name === name && place.sub === undefined && !place.extension;
  });
}

function copy(type: ResourceType, { extension, attribute, sub }: Place, from: Resource, to: Resource) {
  const schema = type.extension?.schema ?? '';
  if (attribute === undefined) {
    if (from[schema] !== undefined) to[schema] = from[schema];
    return;
  }
  const source = extension ? from[schema] : from;
  if (!isObject(source) || source[attribute.name] === undefined) return;
  let target = to;
  if (extension) {
    target = isObject(to[schema]) ? { ...to[schema] } : {};
    to[schema] = target;
  }
  const value = source[attribute.name];
  if (sub === undefined) target[attribute.name] = value;
  else if (Array.isArray(value)) {
    const before = Array.isArray(target[attribute.name]) ? (target[attribute.name] as Resource[]) : [];
    target[attribute.name] = value.map((element, i) => ({ ...before[i], ...pick(element, sub.name) }));
  } else if (isObject(value)) {
    const before = isObject(target[attribute.name]) ? target[attribute.name] : {};
    target[attribute.name] = { ...(before as Resource), ...pick(value, sub.name) };
  }
}

const pick = (value: Resource, name: string): Resource =>
  value[name] === undefined ? {} : { [name]: value[name] };

function remove(type: ResourceType, { extension, attribute, sub }: Place, from: Resource) {
  const schema = type.extension?.schema ?? '';
  if (attribute === undefined) {
    delete from[schema];
    return;
  }
  const source = extension ? from[schema] : from;
  if (!isObject(source) || attribute.returned === 'always') return;
  const value = source[attribute.name];
  if (sub === undefined) delete source[attribute.name];
  else if (Array.isArray(value)) for (const element of value) delete element[sub.name];
  else if (isObject(value)) delete value[sub.name];
}
