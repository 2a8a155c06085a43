import { Type } from 'typebox';
import { findSample } from '#directory/access/organization-facts.ts';
import { operations } from '#kit/http.ts';
import type { Call } from '#kit/identity.ts';
import { Component } from '#kit/schemas.ts';
import { makeSample } from '../make.ts';
import { removeSample } from '../remove.ts';

const SampleView = Component('SampleCompany', {
  status: Type.Enum(['none', 'creating', 'complete']),
  apps: Type.Integer({ description: 'The number of its apps.' }),
  people: Type.Integer({ description: 'The number of its people.' }),
});

const sample = operations({
  path: '/api/organization/sample/',
  tag: 'Organization',
  reading: { access: { scope: 'read', roles: ['owner', 'admin', 'auditor'] } },
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
});

async function show(call: Call) {
  const found = await findSample(call);
  const { apps = [], people = [] } = found ?? {};
  const status = found === null ? 'none' : found.complete ? 'complete' : 'creating';
  return { status, apps: apps.length, people: people.length } as const;
}

export const sampleRoutes = (tools: Parameters<typeof makeSample>[1]) => [
  sample.get('', 'Get the sample company', { reply: SampleView }, ({ call }) => show(call)),
  sample.post(
    '',
    'Create a sample company',
    {
      description:
        'Fills an empty organization with fictional people, apps, accounts, a policy that is not enabled, and a review that is not started. Their addresses end in `@sample-company.test`; they get no emails and cannot sign in. 409 if the organization has apps, members, policies or reviews. Repeating the call changes nothing.',
      reply: SampleView,
    },
    async ({ call }) => {
      await makeSample(call, tools);
      return show(call);
    },
  ),
  sample.delete(
    '',
    'Remove the sample company',
    {
      description:
        'Deletes its policy, its review, its apps with everything in them, and its people. The events stay. People whom something else names, such as a request for another app, stay as deactivated. Repeating the call changes nothing.',
      reply: Component('SampleRemoval', {
        apps: Type.Integer(),
        people: Type.Integer({ description: 'The number of people who were deleted.' }),
        people_kept: Type.Integer({ description: 'The number of people who stay as deactivated.' }),
      }),
    },
    ({ call }) => removeSample(call),
  ),
];
