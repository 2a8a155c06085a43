import { definitionFiles } from './template-definition.ts';

/** Returns the files of a new definition for the rest connector, by name. */
export const restFiles = ({ name, tasks }: { name: string; tasks: boolean }) =>
  definitionFiles({
    name,
    kind: 'rest',
    settings: ['REST_URL', 'REST_TOKEN'],
    definition: definition(name, tasks),
  });

const definition = (
  name: string,
  tasks: boolean,
) => `# How Gatehouse reads an application by its REST API${tasks ? ' and changes accounts there' : ''}. Replace paths and fields with those of your API.
name: '${name}'
base_url: \${URL}/api
settings:
  URL: address of the application, such as https://app.example
auth: { bearer: '\${TOKEN}' }
# A request that succeeds if the address and the token are right.
check: { get: /me }

groups:
  team:
    name: Teams
    list: { get: /teams }
    record: { id: item.id, name: item.name }
    members: { get: '/teams/{{ group.id }}/members', account: item.user_id }
${tasks ? membershipTasks : ''}
accounts:
  user:
    name: Users
    list:
      get: /users
      paginate: { by: page, param: page, size_param: per_page, size: 100 }
    record:
      id: item.id
      username: item.login
      email: item.email
      status: 'item.locked ? "suspended" : "active"'
    read: { get: '/users/{{ account.id }}' }
${tasks ? accountTasks : ''}`;

const membershipTasks = `    add: [{ put: '/teams/{{ group.id }}/members/{{ account.id }}' }]
    remove: [{ delete: '/teams/{{ group.id }}/members/{{ account.id }}', already: [404] }]
`;

const accountTasks = `    actions:
      create:
        - post: /users
          body: { login: '{{ account.username }}', email: '{{ account.email }}' }
          capture: { id: response.id }
      suspend:
        - put: /users/{{ account.id }}/lock
        # A step succeeds when the state is reached, not when the status is 2xx.
        - get: /users/{{ account.id }}
          expect: response.locked
      unsuspend:
        - delete: /users/{{ account.id }}/lock
          already: [404]
        - get: /users/{{ account.id }}
          expect: '!response.locked'
      delete: [{ delete: '/users/{{ account.id }}' }]
`;
