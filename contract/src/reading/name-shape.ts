/** How file names are made up of runs of letters and digits; and their endings. */
export const NAME = {
  /** A run of letters, of digits, or of what stands between. */
  part: /[\p{L}\p{M}]+|\d+|[^\p{L}\p{M}\d]+/gu,
  /** A run of letters and digits, or of what stands between. */
  word: /[\p{L}\p{M}\d]+|[^\p{L}\p{M}\d]+/gu,
  /** `.png`, `.nii.gz`, `.jpg.png`; what stands behind a dot in `1.2.840` is none. */
  ending: /(?:\.(?:nii|tar|jpe?g|png|tiff?|bmp|dcm))?\.(?=[\p{L}\d]{0,4}\p{L})[\p{L}\d]{1,5}$/iu,
} as const
