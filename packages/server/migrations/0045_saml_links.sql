-- A link made by an earlier version can outlast the email address that it was made for. The next sign-in makes a new
-- link by the email address.
delete from sign_in_account a using sign_in_provider p
where p.org_id = a.org_id and p.provider_id = a.provider_id and p.saml_config is not null;
