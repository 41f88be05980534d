/**
 * Every failure that a caller can meet: name, code and, where the protocol itself failed, HTTP status.
 * Texts in three languages: contract/locales/<language>/errors.json, with the error's params filled in.
 */
export const errors = {
  // Protocol: HTTP status as well as a code.
  bad_request: { code: 10400, status: 400 },
  not_found: { code: 10404, status: 404 },
  too_large: { code: 10413, status: 413 },
  rate_limited: { code: 10429, status: 429 },
  internal: { code: 10599, status: 500 },
  busy: { code: 10503, status: 503 },
  // Session.
  session_replaced: { code: 10500, status: 200 },
  not_signed_in: { code: 10401, status: 200 },
  not_allowed: { code: 10403, status: 200 },
  /** A page of another origin tried to change something, or to open a live connection. */
  foreign_page: { code: 10520, status: 403 },
  /** Form fields that break a rule: `fields` maps a field to its message key. */
  invalid: { code: 10422, status: 200 },
  // Accounts.
  wrong_credentials: { code: 20001, status: 200 },
  drag_required: { code: 20002, status: 200 },
  too_many_tries: { code: 20003, status: 200 },
  english_only: { code: 20004, status: 200 },
  code_wait: { code: 20005, status: 200 },
  code_limit: { code: 20006, status: 200 },
  code_wrong: { code: 20007, status: 200 },
  message_failed: { code: 20008, status: 200 },
  account_taken: { code: 20009, status: 200 },
  registration_closed: { code: 20010, status: 200 },
  country_closed: { code: 20011, status: 200 },
  key_expired: { code: 20012, status: 200 },
  password_wrong: { code: 20013, status: 200 },
  account_missing: { code: 20014, status: 200 },
  last_administrator: { code: 20015, status: 200 },
  too_many_messages: { code: 20016, status: 200 },
  /** The puzzle was easier than it has to be while somebody guesses here; the next one is hard enough. */
  drag_again: { code: 20030, status: 200 },
  /** A password that others may know, printed or given by an administrator, must be changed before anything else. */
  password_first: { code: 20031, status: 200 },
  /** By an administrator. */
  account_blocked: { code: 20040, status: 200 },
  /** What would happen to the own account, and was not meant for sure. */
  own_account: { code: 20041, status: 200 },
  member_missing: { code: 20042, status: 200 },
  // Plans.
  plan_limit: { code: 20101, status: 200 },
  storage_full: { code: 20102, status: 200 },
  upgrade_needed: { code: 20103, status: 200 },
  /** The member's own works that wait are as many as may. */
  too_much_at_once: { code: 20120, status: 200 },
  /** Beyond the time or memory of one work. */
  work_too_large: { code: 20121, status: 200 },
  /** `used` are shared, with these it would be `total`, and `level` allows `limit`. */
  shared_datasets_limit: { code: 20110, status: 200 },
  shared_models_limit: { code: 20111, status: 200 },
  // Files.
  missing: { code: 20201, status: 200 },
  name_taken: { code: 20202, status: 200 },
  name_invalid: { code: 20203, status: 200 },
  too_many_files: { code: 20204, status: 200 },
  file_too_large: { code: 20205, status: 200 },
  checksum_wrong: { code: 20206, status: 460 },
  upload_gone: { code: 20207, status: 410 },
  folder_into_itself: { code: 20208, status: 200 },
  link_expired: { code: 20209, status: 403 },
  disk_full: { code: 20210, status: 507 },
  too_deep: { code: 20211, status: 200 },
  /** No archive of a kind that can be unpacked. */
  archive_unknown: { code: 20212, status: 200 },
  unpack_running: { code: 20213, status: 200 },
  // Sharing and groups.
  share_self: { code: 20221, status: 200 },
  share_twice: { code: 20222, status: 200 },
  /** Shared with the same account by a folder above. */
  share_above: { code: 20231, status: 200 },
  /** One thing is shared with `limit` accounts already. */
  share_limit: { code: 20223, status: 200 },
  link_gone: { code: 20224, status: 410 },
  /** Of a link or a group. */
  access_password_wrong: { code: 20225, status: 200 },
  tries_wait: { code: 20226, status: 200 },
  group_missing: { code: 20227, status: 200 },
  group_joined: { code: 20228, status: 200 },
  group_full: { code: 20229, status: 200 },
  /** One thing has `limit` links already. */
  link_limit: { code: 20230, status: 200 },
  /** `count` of `total` files may name their patient; given away only with the owner's word. */
  patients_named: { code: 20250, status: 200 },
  // Conversions.
  conversion_nothing: { code: 20241, status: 200 },
  /** `limit` of them wait or are under way. */
  conversion_waiting: { code: 20242, status: 200 },
  conversion_state: { code: 20243, status: 200 },
  // Projects and data sets.
  project_missing: { code: 20301, status: 200 },
  dataset_missing: { code: 20302, status: 200 },
  dataset_not_ready: { code: 20303, status: 200 },
  dataset_empty: { code: 20304, status: 200 },
  dataset_duplicate: { code: 20305, status: 200 },
  dataset_in_use: { code: 20306, status: 200 },
  /** Models were trained with it: it stays what it was. */
  dataset_trained: { code: 20309, status: 200 },
  display_needed: { code: 20307, status: 200 },
  /** Not for this task. */
  display_unfit: { code: 20308, status: 200 },
  // Runs.
  two_parts_needed: { code: 20401, status: 200 },
  parts_differ: { code: 20402, status: 200 },
  labels_too_few: { code: 20403, status: 200 },
  data_too_few: { code: 20404, status: 200 },
  /** have, need: patients, which stay together. */
  cases_too_few: { code: 20436, status: 200 },
  network_unfit: { code: 20405, status: 200 },
  memory_exceeded: { code: 20406, status: 200 },
  train_first: { code: 20407, status: 200 },
  task_differs: { code: 20408, status: 200 },
  run_missing: { code: 20409, status: 200 },
  run_ended: { code: 20410, status: 200 },
  one_dataset_needed: { code: 20411, status: 200 },
  classes_differ: { code: 20412, status: 200 },
  tuning_gold_only: { code: 20413, status: 200 },
  batch_too_small: { code: 20414, status: 200 },
  /** Too much for the device's memory, where at most `batch` fit. */
  batch_too_large: { code: 20426, status: 200 },
  /** The model enlarges `need` times, the data `have` times. */
  factor_differs: { code: 20415, status: 200 },
  run_not_paused: { code: 20416, status: 200 },
  run_not_ended: { code: 20417, status: 200 },
  /** Pictures that a run was made with are deleted. */
  data_gone: { code: 20418, status: 200 },
  /** The training of a test is deleted. */
  weights_gone: { code: 20419, status: 200 },
  /** Not one layer of an earlier training fits. */
  weights_unfit: { code: 20420, status: 200 },
  prediction_source_needed: { code: 20421, status: 200 },
  /** `count` files were chosen, at most `limit` go. */
  prediction_too_many: { code: 20422, status: 200 },
  prediction_no_pictures: { code: 20423, status: 200 },
  prediction_no_volumes: { code: 20424, status: 200 },
  /** To be repeated: nothing of what it was made of may be read any more. */
  prediction_gone: { code: 20425, status: 200 },
  /** `min` to `max` tests go. */
  compare_count: { code: 20431, status: 200 },
  /** Trainings, and tests that did not come to their end. */
  compare_not_done: { code: 20432, status: 200 },
  compare_other_project: { code: 20433, status: 200 },
  compare_other_task: { code: 20434, status: 200 },
  /** Not the same images with the same labels. */
  compare_other_data: { code: 20435, status: 200 },
  // Networks.
  network_missing: { code: 20501, status: 200 },
  /** Saved elsewhere since it was opened: `revision` is the newer one. */
  network_changed: { code: 20502, status: 200 },
  network_unreadable: { code: 20503, status: 200 },
  /** Mistakes stand in the way: `count` of them. */
  network_wrong: { code: 20504, status: 200 },
  network_limit: { code: 20505, status: 200 },
  picture_level: { code: 20506, status: 200 },
  look_busy: { code: 20507, status: 200 },
  look_failed: { code: 20508, status: 200 },
  // Reports.
  report_not_ready: { code: 20601, status: 200 },
  report_level: { code: 20602, status: 200 },
} as const

export type ErrorName = keyof typeof errors
export type ErrorParams = Record<string, string | number>
