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
  /** An administrator switched off the part of the product that the call belongs to. */
  module_off: { code: 10405, status: 200 },
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
  /** ticket: with a code and this, `user/secondFactor` goes on with the sign-in. */
  second_factor_needed: { code: 20032, status: 200 },
  /** Administrators must set one up before they use the back-office. */
  second_factor_first: { code: 20033, status: 200 },
  /** The last code was given too long ago for the back-office. */
  second_factor_again: { code: 20034, status: 200 },
  /** Wrong, out of date, or used already. */
  second_factor_wrong: { code: 20035, status: 200 },
  /** Its ticket, or its secret while it was set up, is too old or used. */
  second_factor_late: { code: 20036, status: 200 },
  second_factor_tries: { code: 20037, status: 200 },
  second_factor_on: { code: 20038, status: 200 },
  second_factor_off: { code: 20039, status: 200 },
  /** By an administrator. */
  account_blocked: { code: 20040, status: 200 },
  /** What would happen to the own account, and was not meant for sure. */
  own_account: { code: 20041, status: 200 },
  member_missing: { code: 20042, status: 200 },
  /** line: a quote in it never ends, or the file is no table at all. */
  import_unreadable: { code: 20043, status: 200 },
  /** No column of accounts, or no line below the head. */
  import_no_accounts: { code: 20044, status: 200 },
  /** limit: lines. */
  import_too_long: { code: 20045, status: 200 },
  /** count: lines with a problem. */
  import_problems: { code: 20046, status: 200 },
  /** Somebody else has changed them since the page was drawn. */
  limits_changed: { code: 20047, status: 200 },
  partner_missing: { code: 20048, status: 200 },
  /** most: partners. */
  partner_many: { code: 20049, status: 200 },
  /** The member belongs to another partner. */
  partner_elsewhere: { code: 20050, status: 200 },
  /** No such partner, or not its secret. */
  partner_refused: { code: 20051, status: 200 },
  // Plans.
  plan_limit: { code: 20101, status: 200 },
  storage_full: { code: 20102, status: 200 },
  upgrade_needed: { code: 20103, status: 200 },
  /** Of membership and payment. The member has no name yet; the full form is not complete. */
  information_needed: { code: 20130, status: 200 },
  form_needed: { code: 20131, status: 200 },
  level_higher: { code: 20132, status: 200 },
  level_held: { code: 20133, status: 200 },
  level_endless: { code: 20134, status: 200 },
  super_member: { code: 20135, status: 200 },
  /** Nobody can pay that way here. */
  method_closed: { code: 20136, status: 200 },
  /** The page showed another amount. */
  price_changed: { code: 20137, status: 200 },
  payment_unreachable: { code: 20138, status: 200 },
  order_paid: { code: 20139, status: 200 },
  /** Cancelled, expired, refunded, or decided already. */
  order_over: { code: 20140, status: 200 },
  amount_differs: { code: 20141, status: 200 },
  /** The same transfer was confirmed for an order already. */
  transfer_known: { code: 20142, status: 200 },
  refund_too_much: { code: 20143, status: 200 },
  /** What ends at a date is not sold while nobody knows the date. */
  clock_doubtful: { code: 20144, status: 200 },
  order_missing: { code: 20145, status: 200 },
  // The model shop.
  listing_missing: { code: 20160, status: 200 },
  /** Not for sale at this time: hidden, banned, or checked. */
  listing_closed: { code: 20161, status: 200 },
  /** A seller is not his own buyer. */
  own_listing: { code: 20162, status: 200 },
  model_held: { code: 20163, status: 200 },
  /** A model of the shop was chosen that the member has not. */
  model_not_bought: { code: 20164, status: 200 },
  /** have, need */
  points_too_few: { code: 20165, status: 200 },
  rules_changed: { code: 20166, status: 200 },
  /** Visitors neither share nor buy; free members do not sell. */
  level_too_low: { code: 20167, status: 200 },
  place_none: { code: 20168, status: 200 },
  /** most: all free places are taken. */
  place_taken: { code: 20169, status: 200 },
  /** date */
  place_too_soon: { code: 20170, status: 200 },
  test_first: { code: 20171, status: 200 },
  /** Bought, or begun with a bought one whose licence forbids it. */
  model_not_own: { code: 20172, status: 200 },
  listing_twice: { code: 20173, status: 200 },
  listing_limit: { code: 20174, status: 200 },
  listing_checking: { code: 20175, status: 200 },
  /** reason */
  listing_banned: { code: 20176, status: 200 },
  /** limit */
  drives_limit: { code: 20177, status: 200 },
  review_not_bought: { code: 20178, status: 200 },
  claim_late: { code: 20179, status: 200 },
  claim_twice: { code: 20180, status: 200 },
  /** Something was computed with it: it is no mistake any more. */
  claim_used: { code: 20181, status: 200 },
  claim_missing: { code: 20182, status: 200 },
  // The wallet.
  withdrawal_missing: { code: 20190, status: 200 },
  /** have: in yuan */
  balance_too_low: { code: 20191, status: 200 },
  withdrawal_decided: { code: 20192, status: 200 },
  /** The same request id came with another amount or account. */
  withdrawal_differs: { code: 20193, status: 200 },
  /** most: so many of a member are under review. */
  withdrawals_waiting: { code: 20194, status: 200 },
  /** most: lines of a statement. */
  statement_long: { code: 20195, status: 200 },
  // The market.
  demand_missing: { code: 21101, status: 200 },
  /** Not possible as the demand stands by now. */
  demand_state: { code: 21102, status: 200 },
  /** A provider makes no offer to himself. */
  own_demand: { code: 21103, status: 200 },
  offer_missing: { code: 21104, status: 200 },
  /** The offer is another one than the page showed. */
  offer_changed: { code: 21105, status: 200 },
  deadline_past: { code: 21106, status: 200 },
  /** limit: so many of a member are open. */
  demand_limit: { code: 21107, status: 200 },
  offer_limit: { code: 21108, status: 200 },
  /** Money of such an order goes back by the decision of its dispute alone. */
  work_refund: { code: 21109, status: 200 },
  /** orders: with held money, before an account is closed. */
  work_held: { code: 21110, status: 200 },
  provider_gone: { code: 21111, status: 200 },
  /** most: in yuan, what is held. */
  split_too_much: { code: 21112, status: 200 },
  /** limit: files of one thing. */
  market_files_limit: { code: 21113, status: 200 },
  provider_missing: { code: 21114, status: 200 },
  case_missing: { code: 21115, status: 200 },
  /** limit: cases of one provider. */
  case_limit: { code: 21116, status: 200 },
  /** Not a picture that browsers show. */
  case_pictures: { code: 21117, status: 200 },
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
  /** Uploads of a member that were announced and have not arrived. */
  too_many_uploads: { code: 20214, status: 200 },
  too_many_folders: { code: 20215, status: 200 },
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
  // Preparing images by recipes.
  recipe_missing: { code: 20261, status: 200 },
  /** A member keeps `limit` of them. */
  recipe_limit: { code: 20262, status: 200 },
  /** There is nothing in the folder that could be prepared. */
  recipe_nothing: { code: 20263, status: 200 },
  /** `limit` works of the member wait or are under way. */
  recipe_waiting: { code: 20264, status: 200 },
  recipe_state: { code: 20265, status: 200 },
  /** To be merged: two or more of one kind. */
  recipe_merge: { code: 20266, status: 200 },
  /** No file of the folder is a mask. */
  recipe_no_pairs: { code: 20267, status: 200 },
  /** No file of a folder may be a mask, or none has its like in all the others. */
  mask_nothing: { code: 20268, status: 200 },
  // Texts burned into pictures.
  texts_nothing: { code: 20280, status: 200 },
  texts_waiting: { code: 20281, status: 200 },
  texts_state: { code: 20282, status: 200 },
  texts_unconfirmed: { code: 20283, status: 200 },
  ocr_missing: { code: 20284, status: 200 },
  // Tools that members make.
  own_tool_missing: { code: 20290, status: 200 },
  /** A member made `limit` of them. */
  own_tool_limit: { code: 20291, status: 200 },
  own_tool_withdrawn: { code: 20292, status: 200 },
  own_tool_expired: { code: 20293, status: 200 },
  /** The recipe or the training that it was made of is gone. */
  own_tool_source_gone: { code: 20294, status: 200 },
  own_tool_owner_gone: { code: 20295, status: 200 },
  /** Its recipe is none for this version of the product. */
  own_tool_broken: { code: 20296, status: 200 },
  /** The setting `name` lies outside of what the tool allows: `min` to `max`. */
  own_tool_range: { code: 20297, status: 200 },
  /** Each setting is allowed, all of them together are not. */
  own_tool_settings: { code: 20298, status: 200 },
  /** The training has another task than the project that shall keep the results. */
  own_tool_task: { code: 20299, status: 200 },
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
  /** What was inside the tool is its maker's. */
  run_by_tool: { code: 20439, status: 200 },
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
  // Toolbox.
  application_unavailable: { code: 20509, status: 200 },
  // Reports.
  report_not_ready: { code: 20601, status: 200 },
  report_level: { code: 20602, status: 200 },
  // Labelling.
  label_set_missing: { code: 20701, status: 200 },
  label_item_missing: { code: 20702, status: 200 },
  reading_missing: { code: 20703, status: 200 },
  /** Two classes of one name: `name`. */
  tag_duplicate: { code: 20704, status: 200 },
  /** Another rule for classes is broken: `rule` of `classProblem`, at `name`. */
  classes_refused: { code: 20705, status: 200 },
  /** `count` marks on `images` images have the class `name`, or had it: it cannot be removed. */
  class_used: { code: 20706, status: 200 },
  /** Accepted, or somebody else's: nothing may be added. */
  reading_closed: { code: 20707, status: 200 },
  /** Step `number` of those sent does not fit the image or its set; none of them was kept. */
  step_refused: { code: 20708, status: 200 },
  too_many_sets: { code: 20709, status: 200 },
  /** No image of it is finished by whoever's labels were asked for. */
  nothing_labelled: { code: 20710, status: 200 },
  // Proposals of networks.
  /** No network is chosen for the set. */
  helper_missing: { code: 20751, status: 200 },
  /** The network cannot propose here: `reason` of `unfits`. */
  helper_unfit: { code: 20752, status: 200 },
  proposal_missing: { code: 20753, status: 200 },
  /** A round is under way. */
  round_open: { code: 20754, status: 200 },
  too_many_rounds: { code: 20755, status: 200 },
  /** The training of a round, or its test, was stopped or failed. */
  round_run_failed: { code: 20756, status: 200 },
  // Labels in and out.
  exchange_missing: { code: 20731, status: 200 },
  /** It has gone on, or ended, since the page was drawn. */
  exchange_state: { code: 20732, status: 200 },
  exchange_waiting: { code: 20733, status: 200 },
  comment_missing: { code: 20711, status: 200 },
  too_many_comments: { code: 20712, status: 200 },
  // 4D flow.
  study_missing: { code: 20801, status: 200 },
  /** It is looked at or made at this moment. */
  study_busy: { code: 20802, status: 200 },
  /** The table still has a question without an answer, or a problem that stands in the way. */
  flow_unsettled: { code: 20803, status: 200 },
  flow_waiting: { code: 20804, status: 200 },
  flow_packages: { code: 20805, status: 200 },
  flow_refused: { code: 20806, status: 200 },
  /** Not as it is set: `reason` of `flowReasons`, with its params. */
  flow_options_refused: { code: 20807, status: 200 },
  /** Its files are still looked at, asked about or made. */
  study_not_ready: { code: 20808, status: 200 },
  /** Planes and pictures are kept with a run that is done. */
  flow_run_not_done: { code: 20809, status: 200 },
  flow_figures: { code: 20810, status: 200 },
  flow_figure_unfit: { code: 20811, status: 200 },
  /** The network did not beat interpolation on the flows that were kept aside. */
  flow_network_unproven: { code: 20812, status: 200 },
  /** voxels, most: of the finer study, times frames. */
  flow_too_fine: { code: 20813, status: 200 },
  /** The run's study was made finer by a network already. */
  flow_sharpened_already: { code: 20814, status: 200 },
  // Social centre.
  chat_missing: { code: 20901, status: 200 },
  message_missing: { code: 20902, status: 200 },
  message_late: { code: 20903, status: 200 },
  not_friends: { code: 20904, status: 200 },
  /** One of the two has blocked the other; which of them is not said. */
  social_refused: { code: 20905, status: 200 },
  /** Too much within a while: again after `seconds`. */
  social_slow: { code: 20906, status: 200 },
  application_missing: { code: 20907, status: 200 },
  too_many_friends: { code: 20908, status: 200 },
  post_missing: { code: 20909, status: 200 },
  reply_missing: { code: 20910, status: 200 },
  too_many_replies: { code: 20911, status: 200 },
  /** Somebody else has decided it. */
  report_decided: { code: 20912, status: 200 },
  report_missing: { code: 20913, status: 200 },
  /** Its owner removed the member, and has not invited them since. */
  group_barred: { code: 20914, status: 200 },
  // Images and attachments of messages and posts.
  /** It is no JPG, PNG, GIF or BMP, whatever its name says. */
  image_kind: { code: 20930, status: 200 },
  image_damaged: { code: 20931, status: 200 },
  /** megapixels: the most that are read. */
  image_pixels: { code: 20932, status: 200 },
  /** It is a file that can name its patient. */
  image_patient: { code: 20933, status: 200 },
  /** megabytes: the most that are taken. */
  image_bytes: { code: 20934, status: 200 },
  /** It was sent already, is not one's own, or waited too long. */
  image_missing: { code: 20935, status: 200 },
  /** So many images were sent within a day. */
  images_a_day: { code: 20936, status: 200 },
  // Operating the server.
  too_many_announcements: { code: 21101, status: 200 },
  /** The server was started without BACKUP_DIR. */
  backup_not_set_up: { code: 21102, status: 200 },
  backup_running: { code: 21103, status: 200 },
  // Studies that are shown to others, in case rounds and for second opinions.
  case_round_missing: { code: 20950, status: 200 },
  case_round_over: { code: 20951, status: 200 },
  /** Whoever does not lead changes nothing. */
  case_round_not_led: { code: 20952, status: 200 },
  /** The file names its patient, or nobody knows whether it does. */
  shown_study_patient: { code: 20953, status: 200 },
  shown_study_no_image: { code: 20954, status: 200 },
  /** It is still being read: again in a moment. */
  shown_study_preparing: { code: 20955, status: 200 },
  /** limit: open ones of one member. */
  too_many_case_rounds: { code: 20956, status: 200 },
  too_many_marks: { code: 20957, status: 200 },
  opinion_missing: { code: 20958, status: 200 },
  opinion_closed: { code: 20959, status: 200 },
  /** Whoever has answered everything has seen what others said. */
  opinion_answered: { code: 20960, status: 200 },
  /** limit: open ones of one member. */
  too_many_opinions: { code: 20961, status: 200 },
  // Custom tasks.
  custom_missing: { code: 21121, status: 200 },
  /** It is in another state by now. */
  custom_moved: { code: 21122, status: 200 },
  /** most: so many requests of a member are open. */
  custom_many: { code: 21123, status: 200 },
  /** have: percent. */
  progress_falls: { code: 21124, status: 200 },
  /** No price is fixed: the approval has to set one. */
  price_needed: { code: 21125, status: 200 },
  custom_provider_missing: { code: 21126, status: 200 },
  /** A card of something that is gone, or that the sender cannot open. */
  card_missing: { code: 20937, status: 200 },
  // Code uploads.
  code_missing: { code: 21131, status: 200 },
  code_not_zip: { code: 21132, status: 200 },
  /** name: what is at the top and may not be. */
  code_top: { code: 21133, status: 200 },
  code_empty: { code: 21134, status: 200 },
  /** most: entries. */
  code_many: { code: 21135, status: 200 },
  /** most: bytes when unpacked. */
  code_large: { code: 21136, status: 200 },
  /** most: uploads that one member keeps. */
  code_uploads: { code: 21137, status: 200 },
  code_decided: { code: 21138, status: 200 },
  /** It has entries that are never unpacked. */
  code_unsafe: { code: 21139, status: 200 },
  /** The content of its files is still being looked through. */
  code_uninspected: { code: 21140, status: 200 },
  code_unapproved: { code: 21141, status: 200 },
  code_no_python: { code: 21142, status: 200 },
  /** One of its runs is under way. */
  code_runs: { code: 21143, status: 200 },
  /** parts: what the machine lacks. */
  sandbox_missing: { code: 21144, status: 200 },
} as const

export type ErrorName = keyof typeof errors
export type ErrorParams = Record<string, string | number>
