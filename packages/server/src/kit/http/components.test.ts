import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { Component, Nullable, Uuid } from '../schemas.ts';
import { withComponents, withoutReferences } from './components.ts';

const Color = Type.Enum(['red', 'green'], { title: 'Color' });
const Wheel = Component('Wheel', { size: Type.Integer(), color: Color });
const Car = Component('Car', {
  id: Uuid,
  title: Type.String(),
  wheels: Type.Array(Wheel),
  spare: Nullable({ ...Wheel, description: 'Null: the car has none.' }),
});
const ofCar = { name: 'car', in: 'path', required: true, schema: { type: 'string' } };
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', default: 50 } };
const shortLimit = { ...limit, schema: { type: 'integer', default: 10 } };

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const documentOf = (paths: object): { paths: object } => JSON.parse(JSON.stringify({ paths }));
const document = documentOf({
  '/cars/': {
    get: { parameters: [limit], responses: { 200: json(Type.Object({ results: Type.Array(Car) })) } },
  },
  '/cars/{car}/': {
    get: { parameters: [ofCar], responses: { 200: json(Car) } },
    put: { parameters: [ofCar], requestBody: json(Car), responses: {} },
  },
  '/cars/{car}/wheels/': {
    get: { parameters: [ofCar, shortLimit], responses: { 200: json(Type.Array(Wheel)) } },
  },
  '/cars/{car}/seats/': { get: { parameters: [ofCar, limit], responses: {} } },
});

test('loses nothing but the names', () => {
  const unnamed = JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'title' && typeof value === 'string' ? undefined : value,
  );

  expect(withoutReferences(withComponents(document)).paths).toEqual(unnamed.paths);
});

test('refers to schemas that have a name, also within each other', () => {
  const { paths, components } = withComponents(document) as ReturnType<typeof withComponents> & {
    components: { schemas: Record<string, { properties?: object }> };
  };

  expect(paths).toMatchObject({
    '/cars/{car}/': { put: { requestBody: json({ $ref: '#/components/schemas/Car' }) } },
  });
  expect(Object.keys(components.schemas)).toEqual(['ApiError', 'Car', 'Color', 'Wheel']);
  expect(components.schemas.Car?.properties).toMatchObject({
    title: { type: 'string' },
    wheels: { items: { $ref: '#/components/schemas/Wheel' } },
    spare: {
      anyOf: [
        { $ref: '#/components/schemas/Wheel', description: 'Null: the car has none.' },
        { type: 'null' },
      ],
    },
  });
});

test('refers to the parameters that most operations have', () => {
  const { paths, components } = withComponents(document) as ReturnType<typeof withComponents>;

  expect(components).toMatchObject({ parameters: { car: ofCar, limit } });
  expect(paths).toMatchObject({
    '/cars/': { get: { parameters: [{ $ref: '#/components/parameters/limit' }] } },
    '/cars/{car}/wheels/': { get: { parameters: [{ $ref: '#/components/parameters/car' }, shortLimit] } },
  });
});

test('refuses two different schemas with one name', () => {
  const Wrong = Component('Wheel', { size: Type.String() });

  expect(() => withComponents(documentOf({ one: json(Wheel), other: json(Wrong) }))).toThrow(
    'Two schemas have the name Wheel.',
  );
});
