/** Colours of masks as a form begins with them: values in files, no part of the product's look. */
export const UNMARKED = '#000000'
export const FIRST = '#ffffff'
export const FURTHER = '#ff0000'
