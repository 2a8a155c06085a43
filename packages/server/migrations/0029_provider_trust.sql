-- Owners decide how far they trust a provider. Both flags start as false, also for existing providers.

alter table sign_in_provider
  -- OpenID Connect: accept email addresses for which the provider sends no email_verified claim.
  add column trusts_email boolean not null default false,
  -- Whether the provider may sign in people with the role owner, and who approved that.
  add column approved_for_owners_by uuid,
  add column approved_for_owners_at timestamptz,
  add foreign key (org_id, approved_for_owners_by)
    references platform_user (org_id, id) on delete set null (approved_for_owners_by);
