/** Colours of classes, told apart also by those who do not tell red from green (after Okabe and Ito 2008). */

type Colour = readonly [red: number, green: number, blue: number]

const first: readonly Colour[] = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 158, 115],
  [240, 228, 66],
  [204, 121, 167],
  [213, 94, 0],
  [0, 114, 178],
]

/** Of the class with this index; further ones are shades between. */
export function colourOf(index: number): Colour {
  const [red = 0, green = 0, blue = 0] = first[index % first.length] ?? []
  const fade = 0.6 ** Math.floor(index / first.length)
  return [Math.round(red * fade), Math.round(green * fade), Math.round(blue * fade)]
}

export const cssColour = (index: number): string => `rgb(${colourOf(index).join(' ')})`
