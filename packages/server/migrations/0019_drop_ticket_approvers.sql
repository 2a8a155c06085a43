-- The people who may decide a ticket are found by a query of the requests feature (requests/queries/approvers.ts).
drop function ticket_approvers(ticket);
