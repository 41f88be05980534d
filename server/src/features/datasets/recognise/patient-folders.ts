/**
 * Folders that are persons: `normal/p1/1.png`, `images/0012/a.png`, `sick/Smith John/3.jpg`. Subtypes, magnifications and
 * kinds of pictures lie in folders too, so names must be many, hold several files each and not come again elsewhere.
 */

import { datasets as limits } from '@neuroloom/contract/limits'
import { maskWords } from '@neuroloom/contract/reading/pair-words'
import { folderSide, isSplitName, noiseWords, partOf, resolutionWords } from './folder-names.ts'
import { type Span, segmentsOf } from './patient-schemes.ts'

/** How a picture was taken or what for, not of whom. */
const others =
  /^(?:\d+x|x\d+|\d+x\d+|(?:fold|batch|set|part|split|stage|grade|level|class|type|version|ver|v|series|study|session|ses|visit|scan|img|image|folder|папка|文件夹)s?[-_ ]?\d*|t[12](?:w|c|gd|ce)?|flair|dwi|adc|dicom|ct|mr|mri|pet|us|axial|sagittal|coronal|anat|func|left|right|cc|mlo|(?:19|20)\d\d(?:[-_.]?\d\d){0,2})$/iu

/** Names without a number are persons where they are many and none is large, or are written like persons. */
const MANY_NAMES = 12
const LARGEST = 0.2
const personal = /^(?:\p{Lu}[\p{Ll}'-]+(?:[ _.]+\p{Lu}[\p{Ll}'-]*)+\.?|\p{Script=Han}{2,4})$/u

/** The person of each name by its folder; all null unless one level of folders is clear. */
export function foldersOf(names: readonly string[], apart: ReadonlySet<string>): (Span | null)[] {
  const paths = names.map((name) => ({ name, folders: segmentsOf(name).slice(0, -1) }))
  const deepest = paths.reduce((most, { folders }) => Math.max(most, folders.length), 0)
  for (let height = 1; height <= Math.min(deepest, 4); height += 1) {
    const spans = paths.map(({ name, folders }): (Span & { above: string }) | null => {
      const folder = folders.at(-height)
      if (!folder || !mayBePerson(folder.text, apart)) return null
      const to = folder.at + folder.text.length
      const key = folder.text.normalize('NFC').toLowerCase()
      return { example: name, from: folder.at, to, key, above: name.slice(0, folder.at) }
    })
    if (isClear(spans)) return spans
  }
  return names.map(() => null)
}

function mayBePerson(folder: string, apart: ReadonlySet<string>): boolean {
  if (apart.has(folder) || isSplitName(folder) || partOf(folder) !== null || others.test(folder)) return false
  return [maskWords, resolutionWords, noiseWords].every((words) => folderSide(folder, words) === null)
}

function isClear(spans: readonly ((Span & { above: string }) | null)[]): boolean {
  const known = spans.filter((span) => span !== null)
  const files = new Map<string, number>()
  for (const { key } of known) files.set(key, (files.get(key) ?? 0) + 1)
  const persons = files.size
  const several = [...files.values()].filter((count) => count > 1).length
  if (persons < limits.minPatients || several < persons / 2) return false
  // `case/40X`, `case/100X`: few names that come again in every folder are kinds of pictures.
  if (persons < new Set(known.map(({ above }) => above)).size) return false
  const texts = [...new Set(known.map(({ example, from, to }) => example.slice(from, to)))]
  const most = texts.length * 0.8
  if (texts.filter((text) => /\d/.test(text)).length >= most) return true
  if (texts.filter((text) => personal.test(text)).length >= most) return true
  return persons >= MANY_NAMES && Math.max(...files.values()) <= spans.length * LARGEST
}
