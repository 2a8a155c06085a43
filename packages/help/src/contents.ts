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
    groups: [
      { paths: ['start/administrator', 'start/operator', 'start/connector-author', 'start/console-story'] },
    ],
  },
  {
    title: 'Guides',
    groups: [
      {
        title: 'For administrators',
        paths: [
          'guides/console',
          'guides/people',
          'guides/spreadsheets',
          'guides/scim',
          'guides/requests',
          'guides/reviews',
          'guides/policies',
          'guides/grants',
          'guides/findings',
          'guides/queries',
          'guides/proof',
          'guides/restore-and-revert',
          'guides/managed-connectors',
          'guides/provisioning',
          'guides/fulfillment',
          'guides/notifications',
          'guides/an-auditor-asks',
          'guides/move-from-other-products',
          'guides/faq',
        ],
      },
      {
        title: 'For operators',
        paths: [
          'guides/install',
          'guides/run-it',
          'guides/sign-in',
          'guides/backup',
          'guides/upgrade',
          'guides/troubleshooting',
          'guides/runbook',
          'guides/sizing',
          'guides/topologies',
          'guides/replicas',
          'guides/cluster',
          'guides/siem',
          'guides/webhooks',
        ],
      },
      {
        title: 'For connector authors and programs',
        paths: [
          'guides/connect-your-app',
          'guides/connectors',
          'guides/sql',
          'guides/rest',
          'guides/start-with-curl',
          'guides/api',
        ],
      },
    ],
  },
  {
    title: 'Reference',
    groups: [
      {
        paths: [
          'reference/configuration',
          'reference/protocol',
          'reference/events',
          'reference/errors',
          'reference/connectors',
          'reference/references',
          'reference/vocabulary',
        ],
      },
    ],
  },
  {
    title: 'Explanations',
    groups: [
      {
        paths: [
          'explanations/history',
          'explanations/scale',
          'explanations/security',
          'explanations/privacy',
          'explanations/controls',
          'reference/decisions',
          'adr/index',
        ],
      },
    ],
  },
];
