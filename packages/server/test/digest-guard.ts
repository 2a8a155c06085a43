import type { Database } from '#kit/database.ts';

/**
 * Makes a database refuse to commit a change of an account or its memberships if the next publication would still recognize
 * the account by its digest (ADR 14). The templates of PGlite and PostgreSQL have it, so that all tests look for such changes.
 */
export const guardDigests = (database: Database): Promise<void> =>
  database.exec(`
    create function refuse_kept_digest() returns trigger language plpgsql as $$
    declare
      org uuid := coalesce(new.org_id, old.org_id);
      changed uuid := case when tg_table_name = 'account' then to_jsonb(new) ->> 'id'
        else coalesce(to_jsonb(new), to_jsonb(old)) ->> 'account_id' end;
    begin
      if exists (
        select from account_digest d join account a on a.org_id = org and a.id = changed
        where d.org_id = org and d.account_id = changed and d.xmin::text <> pg_current_xact_id()::xid::text
          and a.removed_at is null and a.tasked_at is null and not exists (
            select from membership where org_id = org and account_id = changed and tasked_at is not null)
      ) then
        raise exception 'This % of % keeps the digest of the account %.', tg_op, tg_table_name, changed;
      end if;
      return null;
    end $$;
    create constraint trigger refuse_kept_digest after update on account deferrable initially deferred for each row
      when ((old.app_id, old.resource_type_id, old.external_id, old.email, old.username, old.first_name, old.last_name,
          old.display_name, old.status, old.removed_at, old.tasked_at)
        is distinct from (new.app_id, new.resource_type_id, new.external_id, new.email, new.username, new.first_name,
          new.last_name, new.display_name, new.status, new.removed_at, new.tasked_at))
      execute function refuse_kept_digest();
    create constraint trigger refuse_kept_digest after insert or delete on membership
      deferrable initially deferred for each row execute function refuse_kept_digest();
    create constraint trigger refuse_kept_digest_of_marked after update on membership
      deferrable initially deferred for each row
      when ((old.account_id, old.entitlement_id, old.tasked_at, old.seen_until)
        is distinct from (new.account_id, new.entitlement_id, new.tasked_at, new.seen_until))
      execute function refuse_kept_digest();`);
