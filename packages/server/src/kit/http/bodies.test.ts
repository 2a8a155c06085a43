import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { Bodies, type Body, SlowBodies } from './bodies.ts';

const busy = () => new DomainError('unavailable', 'busy');

function open(limits = { all: 100, ofOne: 60 }) {
  const bodies = new Bodies(limits, busy);
  const ended: string[] = [];
  const begin = (name: string, caller: string): Body => ({
    caller,
    bytes: 0,
    end: () => void ended.push(name),
  });
  return { bodies, ended, begin };
}

describe('the memory for bodies', () => {
  test('counts what has arrived, until it is released, once', () => {
    const { bodies, begin } = open();
    const body = begin('a1', 'a');

    bodies.hold(body, 10);
    bodies.hold(body, 20);
    expect(bodies.bytes).toBe(30);
    bodies.release(body);
    bodies.release(body);
    expect(bodies.bytes).toBe(0);
  });

  test('refuses a caller who has too much, and no other', () => {
    const { bodies, ended, begin } = open();
    bodies.hold(begin('a1', 'a'), 60);

    expect(() => bodies.hold(begin('a2', 'a'), 1)).toThrow('busy');
    bodies.hold(begin('b1', 'b'), 40);
    expect(ended).toEqual([]);
  });

  test('takes from the caller with the most, whose newest body ends, and never from one with less', () => {
    const { bodies, ended, begin } = open({ all: 100, ofOne: 100 });
    bodies.hold(begin('a1', 'a'), 50);
    bodies.hold(begin('a2', 'a'), 30);
    bodies.hold(begin('c1', 'c'), 20);

    const late = begin('b1', 'b');
    bodies.hold(late, 20);
    bodies.hold(late, 10);
    expect(ended).toEqual(['a2']);
    expect(bodies.bytes).toBe(100);
    expect(() => bodies.hold(late, 40)).toThrow('busy');
    expect(ended).toEqual(['a2']);
  });

  test('leaves a body alone on which the work has begun', () => {
    const { bodies, ended, begin } = open({ all: 100, ofOne: 100 });
    bodies.hold({ ...begin('a1', 'a'), end: undefined }, 90);

    expect(() => bodies.hold(begin('b1', 'b'), 20)).toThrow('busy');
    expect(ended).toEqual([]);
  });
});

describe('a slow body', () => {
  function openSlow() {
    const slow = new SlowBodies();
    const errors: DomainError[] = [];
    const body: Body = { caller: 'a', bytes: 0, end: (error) => void errors.push(error) };
    const progress = slow.add(body);
    let now = 5000;
    slow.look(now);
    const pass = (seconds: number, bytesPerSecond = 0, step = 1) => {
      for (let second = 0; second < seconds; second += step) {
        progress.arrived(bytesPerSecond * step);
        now += 1000 * step;
        slow.look(now);
      }
    };
    return { errors, pass, done: progress.done };
  }

  test('ends after ten seconds below 8 KB a second', () => {
    const { errors, pass } = openSlow();

    pass(10, 1000);
    expect(errors).toEqual([]);
    pass(1, 1000);
    expect(errors).toMatchObject([{ code: 'timed_out', message: expect.stringContaining('8 KB a second') }]);
    pass(5);
    expect(errors).toHaveLength(1);
  });

  test('goes on at 8 KB a second, and once it is complete', () => {
    const { errors, pass, done } = openSlow();

    pass(30, 8192);
    done();
    pass(30);
    expect(errors).toEqual([]);
  });

  test('is not charged for the time in which the process does something else', () => {
    const { errors, pass } = openSlow();

    pass(20, 10, 10);
    expect(errors).toEqual([]);
  });
});
