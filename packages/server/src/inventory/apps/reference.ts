import { Type } from 'typebox';
import { Component, Uuid } from '#kit/schemas.ts';

/** How read APIs refer to an app (protocol 2.8). */
export const AppReference = Component('AppReference', {
  external_uuid: Uuid,
  name: Type.String(),
  connection: Type.Object({
    external_uuid: Uuid,
    display_name: Type.String(),
    unique_identifier: Type.String(),
  }),
});

/** A shorter reference to an app. */
export const AppName = Component('AppName', { id: Uuid, name: Type.String() });

export const appReference = (id: string, name: string) => ({
  external_uuid: id,
  name,
  connection: { external_uuid: id, display_name: name, unique_identifier: `bridge:${id}` },
});
