import { isPortrait } from '../../ui/pictures/portrait-names.ts'

/** The picture that goes with occupation and sex; the neutral one where there is none. */
export function photoFor({ appellation, sex }: { appellation: string; sex: string }): string {
  const name = `${appellation}-${sex}`
  return isPortrait(name) ? name : 'other'
}
