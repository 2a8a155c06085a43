import { Type } from 'typebox';
import { Component, Uuid } from '#kit/schemas.ts';
import type { Candidate } from '../facts.ts';

export const CandidateSearch = Type.Object({
  q: Type.Optional(
    Type.String({
      default: '',
      maxLength: 320,
      description: 'Part of the name or the email. Fewer than 2 characters find nobody.',
    }),
  ),
});

export const Candidates = Component('Candidates', {
  results: Type.Array(
    Component('Candidate', { external_uuid: Uuid, name: Type.String(), email: Type.String() }),
    {
      description: 'The first 10 matches, by name.',
    },
  ),
});

export const candidates = (found: Candidate[]) => ({
  results: found.map(({ id, ...candidate }) => ({ external_uuid: id, ...candidate })),
});
