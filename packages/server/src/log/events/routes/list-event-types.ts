import { Type } from 'typebox';
import { route } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import { CATALOG_NAMES, catalog, catalogOf, categoryOf, EVENT_TYPES, severityOf } from '../catalog.ts';
import { access, Category, Severity, SourceType, SubjectType, tag } from './schemas.ts';
import { sendJson } from './send-json.ts';

const EventTypes = Component('EventTypes', {
  results: Type.Array(
    Component('EventType', {
      event_type: Type.String(),
      catalog: Type.Enum([...CATALOG_NAMES]),
      event_version: Type.Integer(),
      description: Type.String(),
      category: Category,
      severity: Severity,
      subject_types: Type.Array(SubjectType),
      source_types: Type.Array(SourceType),
      payload_schema: Type.Unknown({ description: 'JSON Schema of the payload.' }),
    }),
  ),
});

const TYPES = JSON.stringify({
  results: EVENT_TYPES.map((type) => ({
    event_type: type,
    catalog: catalogOf(type),
    event_version: catalog[type].version,
    description: catalog[type].meaning,
    category: categoryOf(type),
    severity: severityOf(type),
    subject_types: catalog[type].subjects,
    source_types: catalog[type].sources,
    payload_schema: catalog[type].payload,
  })),
});

/** Returns the catalog of event types (protocol 6.3). */
export const listEventTypesRoute = route(
  'GET',
  '/api/event-types/',
  { tag, config: { access }, summary: 'List event types', reply: EventTypes },
  ({ reply }) => sendJson(reply, TYPES),
);
