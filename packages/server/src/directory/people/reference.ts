import { Type } from 'typebox';
import { Component, Uuid } from '../../kit/http/schemas.ts';

/** How the API refers to a person. */
export const PersonReference = Component('UserReference', {
  external_uuid: Uuid,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
});

/** A shorter reference to a person. */
export const PersonEmail = Component('UserEmail', { external_uuid: Uuid, email: Type.String() });
