import { Type } from 'typebox';
import { Component, Uuid } from '#kit/schemas.ts';

/** How the API refers to a person. */
export const PersonReference = Component('UserReference', {
  external_uuid: Uuid,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
});

export const personReference = ({
  id,
  email,
  first_name,
  last_name,
}: {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
}) => ({ external_uuid: id, email, first_name, last_name });

/** A shorter reference to a person. */
export const PersonEmail = Component('UserEmail', { external_uuid: Uuid, email: Type.String() });
