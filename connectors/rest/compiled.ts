import type { TaskErrorCode } from '@gatehouse/connector';
import type { Definition, Paginate } from './definition.ts';
import type { Value } from './expression.ts';
import type { Template } from './template.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** JSON with templates in the place of texts. */
export type Body = Template | { list: Body[] } | { map: [string, Body][] } | { value: unknown };
export type CompiledRequest = {
  method: Method;
  path: Template;
  query: [string, Template][];
  headers: [string, Template][];
  body: Body | undefined;
  form: [string, Template][] | undefined;
};
export type CompiledList = {
  /** Undefined for a fixed list. */
  request: CompiledRequest | undefined;
  values: unknown[];
  items: Value;
  itemsText: string;
  skip: Value | undefined;
  paginate: Pagination | undefined;
};
export type Pagination = Omit<Paginate, 'next' | 'more' | 'total'> & {
  next: Value | undefined;
  more: Value | undefined;
  total: Value | undefined;
};
/** A condition over a response. */
export type Condition = (reply: { status: number; scope: Record<string, unknown> }) => boolean;
export type ErrorMap = [TaskErrorCode, Condition][];
/** A state that a step must have reached, and the sentence if it has not. */
export type Expectation = { that: Value; otherwise: Template | undefined; text: string };
export type CompiledStep = {
  request: CompiledRequest;
  when: Value | undefined;
  success: Condition | undefined;
  already: Condition | undefined;
  errors: ErrorMap;
  expect: Expectation[];
  created: Condition | undefined;
  capture: [string, Value][];
  repeat: boolean;
};
export type CompiledSteps = { steps: CompiledStep[]; usesPassword: boolean };
export type Members = {
  list: CompiledList;
  account: Value;
  /** The group that a member is. */
  group: Value | undefined;
  /** The group from which a group inherits members, by its item. */
  parent: Value | undefined;
  accounts: string;
};
/** A group or a license: both are granted to accounts. */
export type Entitlement = {
  kind: 'group' | 'license';
  slug: string;
  name: string;
  list: CompiledList;
  record: [string, Value][];
  members: Members | undefined;
  add: CompiledSteps | undefined;
  remove: CompiledSteps | undefined;
};
export type Membership = {
  slug: string;
  source:
    | { value: Value }
    | { list: CompiledList; id: Value; name: Value | undefined; via: Value | undefined };
};
/** A list whose items belong to accounts with the same key. */
export type Join = { name: string; list: CompiledList; key: Value; for: Value };
export const stepActions = ['create', 'update', 'delete', 'suspend', 'unsuspend', 'reset_password'] as const;
export type StepAction = (typeof stepActions)[number];
export type Find = { list: CompiledList; id: Value; key: Value; for: Value };
export type CompiledAccount = {
  slug: string;
  name: string;
  list: CompiledList;
  joins: Join[];
  record: [string, Value][];
  read: { request: CompiledRequest; item: Value } | undefined;
  memberships: Membership[];
  find: Find | undefined;
  actions: Partial<Record<StepAction, CompiledSteps>>;
};
export type Compiled = {
  definition: Definition;
  headers: [string, Template][];
  ok: Value | undefined;
  errors: ErrorMap;
  check: CompiledRequest | undefined;
  whoAmI: { request: CompiledRequest; id: Value; accounts: string } | undefined;
  derived: { name: string; request: CompiledRequest; value: Value }[];
  entitlements: Entitlement[];
  accounts: CompiledAccount[];
};
