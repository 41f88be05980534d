/** A text inside an element or an attribute of HTML or SVG: nothing in it is markup. */
export const markupText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
