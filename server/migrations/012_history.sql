create index audit_events_subject on audit_events (subject, at);
