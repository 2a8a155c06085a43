import { PageHeader } from '../../parts/page-header.tsx';

export function SignInSettingsPage() {
  return <PageHeader title="Sign-in" />;
}
