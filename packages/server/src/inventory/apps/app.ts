import type { UserNameKind } from '../../../../protocol/src/user-names.ts';
import type { UserNameRule } from './user-names/rule.ts';

export type ConfigurationStatus = 'CHECKING_CONFIGURATION' | 'CONNECTED' | 'DISCONNECTED';

export interface App {
  id: string;
  name: string;
  clone_group_id: string;
  configuration_status: ConfigurationStatus;
  disconnected_by_administrator: boolean;
  removal_guard: RemovalGuard | null;
  owner_id: string | null;
  created_at: Date;
  last_synced_at: Date | null;
}

/** How much a completed sync may remove without approval (D24a). */
interface RemovalGuard {
  percent: number;
  at_least: number;
}

/** One of the steps in which requests for access are approved. */
export interface ApprovalStep {
  approvers: 'manager' | 'app_owner' | string[];
  require: 'all' | 'any';
}

/** The settings of an app. */
export interface AppSettings {
  name: string;
  owner: string | null;
  approval_steps: ApprovalStep[];
  /** Null means the organization's administrators. */
  fallback_approvers: string[] | null;
  /** Working days without a decision after which requests are escalated. Null: never. */
  escalate_after_working_days: number | null;
  removal_guard: RemovalGuard | null;
  /** The rule for the user names of new accounts. Null: the default for `user_name_kind`. */
  user_name: UserNameRule | null;
}

/** An app as its administrators see it. */
export interface AdminApp extends AppSettings {
  id: string;
  /** The system whose user names the connector creates, if it has said so. */
  user_name_kind: UserNameKind | null;
  configuration_status: ConfigurationStatus;
  created_at: Date;
  last_synced_at: Date | null;
}
