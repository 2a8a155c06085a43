/** The pages of the help in the order in which they are listed, by what the reader does. `path`: of the file in docs/, without `.md`. */
export interface Section {
  title: string;
  groups: Group[];
}

export interface Group {
  title?: string;
  paths: string[];
}

export const CONTENTS: readonly Section[] = [
  {
    title: 'Start',
    groups: [{ paths: ['start/administrator', 'start/operator', 'start/connector-author', 'console-story'] }],
  },
  {
    title: 'Guides',
    groups: [
      {
        title: 'For administrators',
        paths: [
          'console',
          'people',
          'spreadsheets',
          'scim',
          'requests',
          'reviews',
          'policies',
          'grants',
          'findings',
          'queries',
          'proof',
          'history',
          'restore-and-revert',
          'managed-connectors',
          'provisioning',
          'fulfillment',
          'notifications',
          'an-auditor-asks',
          'guides/move-from-other-products',
          'guides/faq',
        ],
      },
      {
        title: 'For operators',
        paths: [
          'run-it',
          'configuration',
          'sign-in',
          'backup',
          'upgrade',
          'troubleshooting',
          'guides/runbook',
          'guides/sizing',
          'guides/topologies',
          'replicas',
          'cluster',
          'scale',
          'siem',
          'webhooks',
          'security',
        ],
      },
      {
        title: 'For connector authors and programs',
        paths: ['connect-your-app', 'connectors', 'sql', 'rest', 'start-with-curl', 'guides/api'],
      },
    ],
  },
  {
    title: 'Reference',
    groups: [
      {
        paths: [
          'reference/protocol',
          'events',
          'reference/errors',
          'reference/connectors',
          'reference/references',
          'vocabulary',
        ],
      },
    ],
  },
  {
    title: 'Explanations',
    groups: [
      { paths: ['explanations/privacy', 'explanations/controls', 'reference/decisions', 'adr/index'] },
    ],
  },
];
