import { Type } from 'typebox';
import { findSample } from '#directory/access/organization-facts.ts';
import { operations } from '#kit/http.ts';
import type { Call } from '#kit/identity.ts';
import { Component } from '#kit/schemas.ts';
import { makeSample } from '../make.ts';
import { removeSample } from '../remove.ts';

const SampleView = Component('SampleCompany', {
  status: Type.Enum(['none', 'creating', 'complete', 'removing']),
  apps: Type.Integer({ description: 'The number of its apps.' }),
  people: Type.Integer({ description: 'The number of its people.' }),
});

const managing = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;

const sample = operations({
  path: '/api/organization/sample/',
  tag: 'Organization',
  reading: { access: { scope: 'read', roles: ['owner', 'admin', 'auditor'] } },
  managing,
});

async function show(call: Call) {
  const found = await findSample(call);
  const { apps = [], people = [] } = found ?? {};
  return { status: found?.status ?? 'none', apps: apps.length, people: people.length } as const;
}

export const sampleRoutes = (tools: Parameters<typeof makeSample>[1]) => [
  sample.get('', 'Get the sample company', { reply: SampleView }, ({ call }) => show(call)),
  sample.post(
    '',
    'Create a sample company',
    {
      description:
        'Fills an empty organization with fictional people, apps, accounts, a policy that is not enabled, and a review that is not started. Their addresses end in `@sample-company.test`; they get no emails and cannot sign in. 409 if the organization has apps, members, policies or reviews, and while another call creates or removes the sample company. Repeating the call changes nothing, or continues after an interruption.',
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
        'Deletes its policy, its review, its apps with everything in them, and its people. The events stay. An app that has become real is archived instead: a connector or an API key for it, an uploaded file, another sync, a review of another campaign, or a task of a request makes it real. A person whom something else names, such as a request for another app, stays as deactivated. A person who has become real stays as they are, by another role, an address outside `sample-company.test`, a way to sign in, an API key, an identity provider, or a merge. 409 while another call creates or removes the sample company. Repeating the call changes nothing, or continues after an interruption.',
      config: { access: { ...managing.access, stepUp: true } },
      reply: Component('SampleRemoval', {
        apps: Type.Integer({ description: 'The number of deleted apps.' }),
        apps_archived: Type.Integer({
          description: 'The number of apps that were archived, because they had become real.',
        }),
        people: Type.Integer({ description: 'The number of deleted people.' }),
        people_deactivated: Type.Integer({
          description: 'The number of people who stay as deactivated, because something else names them.',
        }),
        people_kept: Type.Integer({
          description: 'The number of people who stay as they are, because they had become real.',
        }),
      }),
    },
    ({ call }) => removeSample(call),
  ),
];
