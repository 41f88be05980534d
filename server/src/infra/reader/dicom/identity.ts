/**
 * Whether a DICOM data set tells who the patient is: whether de-identification by the profile (PS3.15 E.1) would change
 * anything in it that identifies the patient, at any depth, in elements of makers and in directories too. Pure.
 */
import { ruleOf } from '@neuroloom/contract/privacy/confidentiality-profile'
import type { DataSet, Element } from 'dicom-parser'
import { isSomebody } from '../patient-identity.ts'
import type { DicomFile } from './file.ts'

export function namesPatient(file: DicomFile): boolean {
  const isRemoved = file.text('00120062').toUpperCase() === 'YES'
  return identifies(file.dataSet, { decode: file.decode, isRemoved, depth: 0 })
}

type Search = {
  decode: DicomFile['decode']
  /** The file says that the patient was removed: what stands at its top are stand-ins, as in public collections. */
  isRemoved: boolean
  depth: number
}

/** Sequences nest about fifteen deep in real objects. */
const MOST_DEPTH = 48

function identifies(dataSet: DataSet, search: Search): boolean {
  if (search.depth > MOST_DEPTH) return true
  const inner = { ...search, depth: search.depth + 1 }
  return Object.values(dataSet.elements).some((element) => {
    if (element.items)
      return element.items.some(({ dataSet: item }) => item !== undefined && identifies(item, inner))
    return elementIdentifies(dataSet, element, search)
  })
}

function elementIdentifies(dataSet: DataSet, element: Element, search: Search): boolean {
  const tag = Number.parseInt(element.tag.slice(1), 16)
  const { vr = '', length, dataOffset } = element
  if (length <= 0) return false
  const bytes = Buffer.from(
    dataSet.byteArray.buffer,
    dataSet.byteArray.byteOffset + dataOffset,
    Math.min(length, dataSet.byteArray.length - dataOffset),
  )
  if (holdsItems(bytes, vr)) return itemsIdentify(bytes, search)
  const isPrivate = (tag >>> 16) % 2 === 1
  const rule = isPrivate ? null : ruleOf(tag)
  const isName = vr === 'PN' || (!typed(vr) && rule?.vr === 'PN')
  if (isPrivate && !isName) return isUntyped(vr) && looksLikeName(bytes, search)
  if (!isName && !(rule && identifying.has(tag))) return false
  if (staff.has(tag) || bytes.length > MOST_TEXT) return false
  const values = search.decode(bytes).split('\\')
  // By the mark of removal, a plain word at the top is a stand-in; a name of two parts, or a name elsewhere, is not.
  if (search.isRemoved && search.depth === 0 && standIns.has(tag))
    return tag === PATIENT_NAME && values.some((value) => isSomebody(value) && twoParts.test(value))
  return values.some(isSomebody)
}

const PATIENT_NAME = 0x00100010
/** A name and a number of each case, which collections give. */
const standIns: ReadonlySet<number> = new Set([PATIENT_NAME, 0x00100020])

/** Of the attributes that the profile changes, those that say who somebody is, beside all names of people. */
const identifying: ReadonlySet<number> = new Set([
  ...[0x00100012, 0x00100020, 0x00100030, 0x00100033, 0x00101000, 0x00101040, 0x00101050, 0x00101090],
  ...[0x00102154, 0x00102155, 0x00380010, 0x00380400],
])

/** Names of those who asked for an image, made it or reported on it. */
const staff: ReadonlySet<number> = new Set([
  ...[0x00080090, 0x0008009c, 0x00081048, 0x00081050, 0x00081060, 0x00081070, 0x00140104, 0x00142006],
  ...[0x00321032, 0x00380005, 0x00400006, 0x00401010, 0x00402008, 0x00404037, 0x0040a067, 0x0040a075],
  ...[0x00700084, 0x00720006, 0x300e0008, 0x30060006, 0x300a02b6],
])

/** A name has five parts of 64 letters, written three times. */
const MOST_TEXT = 4096

const typed = (vr: string): boolean => vr !== '' && vr !== 'UN'
/** Of makers' elements: without a type, or a text in which programs write names as DICOM does. */
const isUntyped = (vr: string): boolean => !typed(vr) || ['LO', 'SH', 'ST', 'LT', 'UT', 'UC'].includes(vr)

/** Family and given name. */
const twoParts = /[\p{L}\p{M}][\p{L}\p{M}' .-]*\^[\p{L}\p{M}' .-]*[\p{L}\p{M}]/u

function looksLikeName(bytes: Buffer, { decode }: Search): boolean {
  if (bytes.length > MOST_TEXT || !bytes.includes(CARET)) return false
  // Numbers and packed data hold bytes that no text has.
  if (bytes.some((byte) => byte < 0x20 && byte !== ESCAPE && byte !== 0)) return false
  const text = decode(bytes)
  return twoParts.test(text) && isSomebody(text)
}

const CARET = 0x5e
const ESCAPE = 0x1b

/** Sequences of unknown kind are written implicitly, whatever the file (PS3.5, 6.2.2); the parser leaves them as bytes. */
const holdsItems = (bytes: Buffer, vr: string): boolean =>
  !typed(vr) && bytes.length >= 8 && bytes.readUInt32LE(0) === ITEM

const ITEM = 0xe000fffe
const ITEM_END = 0xe00dfffe
const SEQUENCE_END = 0xe0ddfffe
const UNDEFINED = 0xffffffff

/** Goes through elements and items in one row, for their depth does not matter here. */
function itemsIdentify(bytes: Buffer, search: Search): boolean {
  const inner = { ...search, depth: search.depth + 1 }
  let at = 0
  while (at + 8 <= bytes.length) {
    const head = bytes.readUInt32LE(at)
    const length = bytes.readUInt32LE(at + 4)
    at += 8
    if (head === ITEM || head === ITEM_END || head === SEQUENCE_END || length === UNDEFINED) continue
    const value = bytes.subarray(at, at + length)
    if (valueIdentifies(bytes, { at: at - 8, value }, inner)) return true
    at += length
  }
  return false
}

type Found = { at: number; value: Buffer }

function valueIdentifies(bytes: Buffer, { at, value }: Found, search: Search): boolean {
  if (search.depth > MOST_DEPTH) return true
  const tag = bytes.readUInt16LE(at) * 65_536 + bytes.readUInt16LE(at + 2)
  if (holdsItems(value, '')) return itemsIdentify(value, search)
  if ((tag >>> 16) % 2 === 1) return looksLikeName(value, search)
  const isName = ruleOf(tag)?.vr === 'PN' || identifying.has(tag)
  return isName && !staff.has(tag) && value.length <= MOST_TEXT && isSomebody(search.decode(value))
}
