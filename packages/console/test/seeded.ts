/** The IDs that tests and screenshots use. */
export interface Seeded {
  apps: Record<'directory' | 'crm' | 'code' | 'payroll' | 'wiki', string>;
  /** By email. */
  people: Record<string, string>;
  /** An account with entitlements in the CRM, and one whose name is markup. */
  accounts: Record<'seller' | 'markup', string>;
  tasks: Record<'pending' | 'failed' | 'retried' | 'scheduled' | 'completed', string>;
  tickets: Record<'pending' | 'approved' | 'denied' | 'canceled' | 'mine', string>;
  reviews: Record<'open' | 'closed' | 'planned', string>;
  cycles: Record<'open' | 'closed', string>;
  policies: Record<'leavers' | 'joiners' | 'dormant', string>;
  webhook: string;
}

/** A PostgreSQL with a database that holds the seeded company. Each server works on a copy. */
export interface Prepared {
  adminUrl: string;
  template: string;
  key: string;
  seeded: Seeded;
}
