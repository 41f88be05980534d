/** Colours of what is painted over a picture: a picture has one ground by day and by night, so these are none of the theme's. */
export const GROUND = '#05090b'
export const INK = '#eef4f5'
export const SOFT_INK = '#a9bdc5'
/** Rims and grounds of letters and lines, which stand on dark and on light. */
export const RIM = 'rgb(5 9 11 / 60%)'
export const DARK = 'rgb(5 9 11 / 80%)'
/** Behind a coloured map the magnitude stays to be seen. */
export const BAND_LINE = 'rgb(10 16 19 / 75%)'
export const CHOSEN = '#ff5fd2'
export const OTHER = '#5fd7ff'
/** The surface of a mask in space. */
export const HULL = '#9fb0b6'
