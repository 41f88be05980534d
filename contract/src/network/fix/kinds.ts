/** What a repair does, as locale keys `fix.<kind>` in `locales/<language>/networks.json`. */
import type { Document } from '../document/document.ts'
import type { ProblemData } from '../resolve/problems.ts'

export const fixKinds = [
  'set_param',
  'set_param_of',
  'set_knob',
  'follow_classes',
  'reset_param',
  'remove_param',
  'rename_param',
  'replace_word',
  'set_repeat',
  'unroll',
  'use_op',
  'remove_layer',
  'switch_off',
  'connect',
  'cut',
  'keep_inputs',
  'insert_add',
  'insert_concat',
  'insert_globalavg',
  'insert_flatten',
  'insert_mean_tokens',
  'insert_to_tokens',
  'insert_to_map',
  'insert_tokens_to_map',
  'keep_picture',
  'insert_conv',
  'insert_linear',
  'insert_resize_like',
  'insert_crop_like',
  'insert_resize',
  'insert_pad',
  'use_concat',
  'use_group_norm',
  'use_resize_like',
  'use_token_attention',
  'swap_inputs',
  'swap_bounds',
  'own_weights',
  'copy_settings',
  'add_head',
  'add_output_layer',
  'resize_result',
  'remove_head',
  'set_input_size',
  'set_input_channels',
  'set_input_kind',
  'repeat_grey',
  'bias_off',
  'insert_norms',
  'insert_input_resize',
] as const
export type FixKind = (typeof fixKinds)[number]

/** A repair before anybody knows whether it helps. */
export interface Candidate {
  kind: FixKind
  data: ProblemData
  document: Document
}
