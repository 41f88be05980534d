/** `code` of every answer that is no refusal; what refusals carry: `errors.ts`. */
export const SUCCESS_CODE = 10200
