/** Everything that can be wrong with a network, as codes with data; the texts are in `locales/<language>/networks.json`. */

/** Red: the network cannot run. Locale keys `graphError.<code>`. */
export const errorCodes = [
  'wrong_kind',
  'input_missing',
  'input_count',
  'shapes_differ',
  'sizes_differ',
  'channels_differ',
  'numel_differs',
  'too_small',
  'size_multiple',
  'groups_divide',
  'groups_divide_out',
  'heads_divide',
  'shuffle_divide',
  'pad_half',
  'outpad_range',
  'reflect_big',
  'shift_range',
  'slice_range',
  'token_range',
  'clamp_range',
  'crop_bigger',
  'inorm_one',
  'per_channel_len',
  'rank_unsupported',
  'cubic_2d',
  'rank_differs',
  'axis_count',
  'param_range',
  'param_type',
  'unknown_param',
  'bad_expression',
  'unknown_op',
  'unknown_ref',
  'unknown_port',
  'share_differs',
  'cycle',
  'too_deep',
  'too_big',
  'too_large',
  'head_missing',
  'head_classes',
  'head_size',
  'data_channels',
  'data_rank',
  'input_size',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** Amber: it runs, but probably not as meant. */
export const warningCodes = [
  'dead_end',
  'act_before_loss',
  'fixed_size',
  'double_act',
  'bias_before_bn',
  'no_norm_deep',
  'repeat_outputs',
] as const
export type WarningCode = (typeof warningCodes)[number]

/** A text that is no document: locale keys `graphError.<code>` as well. */
export const documentCodes = [
  'yaml_syntax',
  'yaml_alias',
  'yaml_tag',
  'yaml_too_large',
  'yaml_too_deep',
  'key_twice',
  'newer_version',
  'unknown_key',
  'missing_key',
  'wrong_value',
  'bad_id',
  'reserved_name',
  'name_taken',
  'too_many',
] as const
export type DocumentCode = (typeof documentCodes)[number]

export type ProblemData = Record<string, string | number>

export interface Problem<Code extends string = ErrorCode> {
  code: Code
  /** Path of the node (`stage2/0/conv1`), `@image` for an input, `heads.main` for a head, '' for the whole network. */
  node: string
  port: string | null
  data: ProblemData
}

export interface DocumentProblem {
  code: DocumentCode
  /** Where in the document, e.g. `nodes.stem.repeat`. */
  path: string
  /** Counted from 1; null when the document did not come from text. */
  line: number | null
  column: number | null
  data: ProblemData
}

/** The locale key below `graphError`: one text more where a likely meaning or a closer reason is known. */
export function problemKey(problem: { code: string; data: ProblemData }): string {
  const { code, data } = problem
  if (data.nearest !== undefined) return `${code}_near`
  switch (code) {
    case 'bad_expression':
      return `${code}_${data.problem}`
    case 'wrong_kind':
    case 'param_type':
      return `${code}_${data.expected}`
    case 'param_range':
      if (data.max === undefined) return `${code}_least`
      return data.min === undefined ? `${code}_most` : code
  }
  return code
}

/** Thrown while one node is worked out and caught at that node; it never leaves `resolve`. */
export class ModelError extends Error {
  readonly code: ErrorCode
  readonly data: ProblemData
  readonly port: string | null

  constructor(code: ErrorCode, data: ProblemData = {}, port: string | null = null) {
    super(code)
    this.code = code
    this.data = data
    this.port = port
  }
}
