/**
 * How single names tell their patient. Sure ones are taken file by file; a code of letters and a number tells patients
 * only where others of its kind agree.
 */
import type { Marked } from '@neuroloom/contract/reading/name-parts'
import { stemOf } from './folder-names.ts'

/** The part of a path that tells the patient, and what is compared. */
export type Span = Marked & { key: string }

const notLetter = '(?:^|[^\\p{L}])'
const persons =
  'patients?|pat|pt|person|subject|subj|sub|participant|volunteer|donor|' +
  'пациент(?:ка)?|пац|больн(?:ой|ая)|участни(?:к|ца)|испытуем(?:ый|ая)|доброволец|患者|病人|受试者|被试|志愿者'
const cases = 'case|случай|病例'
/** A number belongs to a word where at most one sign stands between. */
const numbered = (words: string): RegExp => new RegExp(`${notLetter}((?:${words})[-_ №#]?\\d+)(?!\\d)`, 'diu')
/** Anywhere below the folder, the outermost first: `patient012/slice03`, `person1072_bacteria_3006`, `case_00012`. */
const anywhere = [numbered(persons), numbered(cases)]

/** `P001_slice3`, `Mass-Training_P_00001_LEFT_CC`: two digits where a name begins with them, else three. `p27` is a page. */
const letterP = [/^(P[-_ ]?\d{2,})(?!\d)(?!\p{L})/diu, /[^\p{L}\d](P[-_ ]?\d{3,})(?!\d)(?!\p{L})/diu]

/** Names of public collections, as their documentation describes them; each in a folder's or a file's name. */
const collections: readonly RegExp[] = [
  /^(sub-[\p{L}\d]+)(?![\p{L}\d])/diu, // BIDS: `sub-CC110033_T1w`
  /(?:^|_)(TCGA-[a-z\d]{2}-[a-z\d]{4})(?![a-z\d])/di,
  /(?:^|_)(C3[LN]-\d{5})(?!\d)/di, // CPTAC
  /^((?:LIDC-IDRI|ProstateX|RIDER|NSCLC|LUNG1|HN-[A-Z]+|Pancreas-CT|PANCREAS|PGBM)[-_]\d+)(?!\d)/di,
  /^(OAS\d_?\d{4})(?!\d)/di, // OASIS: `OAS1_0001_MR1_55`
  /^(BraTS\d*_(?:Training|Validation|Testing|TestingData)_\d+)(?!\d)/di,
  /^(BraTS(?:20)?\d\d_\d{5})(?!\d)/di,
  /^(BraTS-[A-Z]+-\d{5})(?!\d)/di, // a time behind: `BraTS-GLI-00000-001`
  /^(BraTS\d*_[A-Z\d]+_\d+)_\d+(?!\d)/di, // `Brats18_TCIA01_131_1`
  /(?:^|_)(\d{3}_S_\d{4})(?!\d)/di, // ADNI
  /^(IXI\d{3})(?!\d)/di,
  /^(?:CNV|DME|DRUSEN|NORMAL)-(\d+)-\d+$/di, // Kermany, OCT
  /^((?:[\p{L}\d]+-)?IM-\d{4})-\d{4}(?!\d)/diu, // Kermany, X-rays: `NORMAL2-IM-0012-0001` is another than `IM-0012-0001`
  /^(\d{8})_\d{3}$/d, // NIH: the first number is the patient
  /^([A-D]_\d{4})_\d(?!\d)/di, // DDSM
  /^\d{8}_([\da-f]{16})_/di, // INbreast: the number is the file's
  /^SOB_[BM]_[A-Z]+-(\d\d-\d+[A-Z]*)-/di, // BreakHis
]

/** The part of this path that surely tells the patient. `apart`: folders that are classes tell none. */
export function surePatient(path: string, apart: ReadonlySet<string>): Span | null {
  const segments = segmentsOf(path).filter(({ text }) => !apart.has(text))
  for (const pattern of collections) {
    const found = firstOf(path, segments, pattern)
    if (found) return found
  }
  for (const pattern of anywhere) {
    const found = firstOf(path, segments, pattern)
    if (found) return { ...found, key: plain(found.key) }
  }
  const letters = letterP.flatMap((pattern) => firstOf(path, segments, pattern) ?? [])
  // `p10/p10000032`: the shorter one only keeps folders small.
  const longest = segments.flatMap((segment) => letterP.flatMap((one) => spanIn(path, segment, one) ?? []))
  const [best] = [...longest, ...letters].sort((one, other) => other.key.length - one.key.length)
  return best ? { ...best, key: plain(best.key) } : null
}

/** Words before a number that counts something else than patients. */
const otherWords =
  /(?:^|[^\p{L}])(?:slice|slc|frame|layer|page|fig|figure|view|day|week|month|visit|session|ses|fold|batch|class|stage|grade|level|score|part|patch|tile|crop|train|training|test|testing|val|срез|кадр|день|切片|帧|层|页|天)$/iu
const code = /^((?:\p{L}+[-_ ])?\p{L}{2,}[-_ ]?\d{2,})[-_ .]+./du
const isDate = /(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/

/** Letters and a number, with more behind: `PGBM-003_flair_12`, `hippocampus_083_y19`. A number alone counts files. */
export function codeOf(path: string): (Span & { family: string }) | null {
  const [file] = segmentsOf(path).slice(-1)
  const found = file ? spanIn(path, file, code) : null
  if (!found) return null
  const family = found.key.replace(/[-_ ]?\d+$/, '')
  return otherWords.test(family) || isDate.test(found.key) ? null : { ...found, family }
}

type Segment = { text: string; at: number }

/** Folders, and the file's name without its ending. */
export function segmentsOf(path: string): Segment[] {
  const folders = path.split('/')
  const file = folders.pop() ?? ''
  let at = 0
  const segments = folders.map((text): Segment => {
    const segment = { text, at }
    at += text.length + 1
    return segment
  })
  return [...segments, { text: stemOf(file), at }]
}

function firstOf(path: string, segments: readonly Segment[], pattern: RegExp): Span | null {
  for (const segment of segments) {
    const found = spanIn(path, segment, pattern)
    if (found) return found
  }
  return null
}

function spanIn(path: string, { text, at }: Segment, pattern: RegExp): Span | null {
  const place = pattern.exec(text)?.indices?.[1]
  if (!place) return null
  const [from, to] = place
  const key = text.slice(from, to).normalize('NFC').toLowerCase()
  return { example: path, from: at + from, to: at + to, key }
}

/** `Patient 1`, `patient_01` and `patient1` are one. */
const plain = (key: string): string => key.replace(/[-_ №#]*0*(\d+)$/u, '$1')
