/** Why a file cannot be used. Texts in three languages: locale keys `fileReason.<name>`. */
export const fileReasons = [
  'empty',
  'not_an_image',
  'truncated',
  'too_large',
  'unsupported_mode',
  'mask_colour',
  'mask_values',
  /** Masks of one image that are not of one size. */
  'parts_differ',
  'not_a_volume',
  /** A fourth axis: several values of each place, such as sequences or moments. */
  'several_volumes',
  'not_finite',
] as const
export type FileReason = (typeof fileReasons)[number]
