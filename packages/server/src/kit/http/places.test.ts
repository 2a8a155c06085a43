import { expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { Places } from './places.ts';

const busy = () => new DomainError('unavailable', 'busy');

test('callers with few requests have further places, which the others cannot take', () => {
  const places = new Places({ all: 3, reserved: 1, few: 1 }, busy);
  const giveBack = [1, 2, 3].map(() => places.take('a'));

  expect(() => places.take('a')).toThrow('busy');
  places.take('b');
  expect(() => places.take('c')).toThrow('busy');
  giveBack[0]?.();
  giveBack[0]?.();
  expect(places.count).toBe(3);
});

test('one caller gets a part of the places', () => {
  const places = new Places({ all: 3, ofOne: 2 }, busy);
  places.take('a');
  places.take('a');

  expect(() => places.take('a')).toThrow('busy');
  places.take('b');
});
