import { expect, test } from 'vitest';
import { readMigrations, readReleased } from './migration-files.ts';
import { checksumOf, migrationProblems, unreleased } from './migrations.ts';

const FIRST = "-- People.\ncreate table person (name text default '-- none'); /* more */\n";
const released = { '0001_schema.sql': checksumOf(FIRST) };

test('the SQL of released migrations is unchanged', () => {
  expect(migrationProblems(readMigrations(), readReleased())).toEqual([]);
});

test('comments and line breaks of a released migration may change', () => {
  const text = "create table person\n  -- The name\n  (name text default '-- none');";
  expect(migrationProblems({ '0001_schema.sql': text }, released)).toEqual([]);
});

test.each([
  ["create table person (name text default '-- other');", 'a value'],
  ["create table person (name text default '-- none'); create index on person (name);", 'a statement'],
  ["-- runs-with: 0000\ncreate table person (name text default '-- none');", 'the oldest server'],
])('refuses another SQL of a released migration: %s', (text) => {
  expect(migrationProblems({ '0001_schema.sql': text }, released)).toEqual([
    '0001_schema.sql was released, so its SQL must not change. Write 0002_….sql with the change.',
  ]);
});

test('a new migration is a file with the next number', () => {
  const files = { '0001_schema.sql': FIRST, '0002_groups.sql': 'create table person_group ();' };
  expect(migrationProblems(files, released)).toEqual([]);
  expect(unreleased(files, released)).toEqual(['0002_groups.sql']);
  expect(migrationProblems({ ...files, '0002_other.sql': '' }, released)).toEqual([
    '0002_other.sql does not have the next number.',
  ]);
  expect(migrationProblems({ '0002_groups.sql': '' }, released)).toEqual([
    '0001_schema.sql was released, and must stay.',
    '0002_groups.sql does not have the next number.',
  ]);
});
