import { definitionFiles } from './template-definition.ts';

const at = (scheme: string, port: number, database: string) =>
  `${scheme}://\${DB_USER}:\${DB_PASSWORD}@\${DB_HOST}:\${DB_PORT:-${port}}${database}`;
const dsns = {
  postgres: at('postgres', 5432, `/\${DB_NAME}?sslmode=verify-full`),
  mysql: at('mysql', 3306, `/\${DB_NAME}?tls=true`),
  sqlite: `sqlite:\${DB_FILE}`,
  sqlserver: at('sqlserver', 1433, `?database=\${DB_NAME}`),
  oracle: at('oracle', 1521, `/\${DB_NAME}`),
};
export type Engine = keyof typeof dsns;
export const engines = Object.keys(dsns) as Engine[];

/** Returns the files of a new definition for the sql connector, by name. */
export function sqlFiles({ name, engine, tasks }: { name: string; engine: Engine; tasks: boolean }) {
  const settings =
    engine === 'sqlite' ? ['SQL_DB_FILE'] : ['SQL_DB_HOST', 'SQL_DB_NAME', 'SQL_DB_USER', 'SQL_DB_PASSWORD'];
  return definitionFiles({ name, kind: 'sql', settings, definition: definition(name, engine, tasks) });
}

const definition = (name: string, engine: Engine, tasks: boolean) => {
  // Oracle returns the names of columns in capitals unless they are quoted.
  const columns = (...names: string[]) =>
    names.map((each) => (engine === 'oracle' ? `${each} AS "${each}"` : each)).join(', ');
  return `# How Gatehouse reads an application from its database${tasks ? ' and changes accounts there' : ''}. Replace the queries with your own.
app_name: '${name}'
connect:
  dsn: ${JSON.stringify(dsns[engine])}

resource_types:
  user:
    name: Users
    list:
      # A column is written with a dot before its name. The id must never change.
      query: SELECT ${columns('id', 'login', 'email', 'disabled')} FROM users
      map:
        id: .id
        display_name: .login
        traits:
          user:
            login: .login
            emails: [.email]
            status: ".disabled == 0 ? 'active' : 'suspended'"
${tasks ? accountTasks(columns('id', 'login', 'email', 'disabled')) : ''}
  team:
    name: Teams
    list:
      query: SELECT ${columns('id', 'name')} FROM teams
      map:
        id: .id
        display_name: .name
    static_entitlements:
      - id: member
        display_name: "'Member'"
${tasks ? membershipTasks : ''}    grants:
      - query: SELECT ${columns('team_id', 'user_id')} FROM team_members
        map:
          - skip_if: .team_id != resource.ID
            principal_id: .user_id
            principal_type: user
            entitlement_id: member
`;
};

const accountTasks = (columns: string) => `    account_provisioning:
      schema:
        - { name: username, required: true }
        - { name: email, required: true }
      credentials:
        no_password: {}
      validate:
        query: SELECT ${columns} FROM users WHERE login = ?<username>
      create:
        queries:
          - INSERT INTO users (login, email, disabled) VALUES (?<username>, ?<email>, 0)
    gatehouse:
      exists: SELECT 1 FROM users WHERE id = ?<id>
      suspend:
        queries:
          - UPDATE users SET disabled = 1 WHERE id = ?<id>
      unsuspend:
        queries:
          - UPDATE users SET disabled = 0 WHERE id = ?<id>
      delete:
        many_rows: true
        queries:
          - DELETE FROM team_members WHERE user_id = ?<id>
          - DELETE FROM users WHERE id = ?<id>
`;

const membershipTasks = `        provisioning:
          vars:
            team: resource.ID
            user: principal.ID
          grant:
            queries:
              - INSERT INTO team_members (team_id, user_id) VALUES (?<team>, ?<user>)
          revoke:
            queries:
              - DELETE FROM team_members WHERE team_id = ?<team> AND user_id = ?<user>
`;
