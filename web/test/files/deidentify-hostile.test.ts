import { describe, expect, it } from 'vitest'
import { deidentify } from '../../src/features/files/deidentify/deidentify.ts'
import { Refusal, refusalReasons } from '../../src/features/files/deidentify/refusal.ts'
import { memorySource } from '../../src/features/files/deidentify/source.ts'
import { identifiersFor } from '../../src/features/files/deidentify/uids.ts'
import { textsOf } from '../texts.ts'
import * as dicom from './deidentify-make.ts'

const identifiers = identifiersFor(new Uint8Array(32).fill(7))
const { explicit, implicit } = dicom.syntaxes

describe('a file that cannot be read with certainty is refused in less than a second', () => {
  const start = dicom.picture().filter(({ tag }) => tag < 0x00200000)
  const ending = (...bytes: Uint8Array[]) => dicom.join([dicom.file(start), ...bytes])

  it.each([
    ['10,000 sequences inside each other', nested(10_000, true), 'nested'],
    ['100 sequences inside each other, with lengths', nested(100, false), 'nested'],
    ['a length beyond the end', ending(dicom.header(0x00204000, 'UT', 0x7ffffff0, explicit)), 'truncated'],
    [
      'a length of almost everything',
      ending(dicom.header(0x00204000, 'UT', 0xfffffffe, explicit)),
      'truncated',
    ],
    ['a text of undefined length', ending(dicom.header(0x00204000, 'UT', 0xffffffff, explicit)), 'broken'],
    [
      'a long number for the rows',
      dicom.file([...start, dicom.make(0x00280010, 'UL', dicom.number(8, 4, explicit))]),
      'broken',
    ],
    ['a sequence without its end', ending(dicom.header(0x00400555, 'SQ', 0xffffffff, explicit)), 'truncated'],
    [
      'an item without its end',
      ending(
        dicom.header(0x00400555, 'SQ', 0xffffffff, explicit),
        dicom.header(0xfffee000, '', 0xffffffff, explicit),
        dicom.write([dicom.make(0x00100010, 'PN', 'Doe')], explicit),
      ),
      'truncated',
    ],
    [
      'an item longer than its sequence',
      ending(
        dicom.header(0x00321064, 'SQ', 16, explicit),
        dicom.header(0xfffee000, '', 64, explicit),
        dicom.write([dicom.make(0x00321065, 'LT', 'x'.repeat(80))], explicit),
      ),
      'broken',
    ],
    [
      'something else than an item in a sequence',
      ending(dicom.header(0x00321064, 'SQ', 8, explicit), dicom.header(0x00100010, '', 0, explicit)),
      'broken',
    ],
    [
      'compressed pixels without their end',
      ending(dicom.header(0x7fe00010, 'OB', 0xffffffff, explicit), dicom.header(0xfffee000, '', 0, explicit)),
      'truncated',
    ],
    [
      'a kind of value that does not exist',
      ending(dicom.header(0x00204000, 'ZZ', 4, explicit), new Uint8Array(4)),
      'broken',
    ],
    ['an end of an item where none began', ending(dicom.header(0xfffee00d, '', 0, explicit)), 'broken'],
    ['half a header', ending(Uint8Array.of(0x20, 0, 0x10)), 'truncated'],
    ['nothing at all', new Uint8Array(), 'broken'],
    [
      'a packed part that is none',
      dicom.join([dicom.file([], deflated()), dicom.ascii('no deflate')]),
      'deflated',
    ],
    ['the index of a disc', directory(), 'directory'],
    ['letters', dicom.ascii('This is only a text, whatever its name says. '.repeat(20)), 'truncated'],
  ])('%s', async (_, bytes, reason) => {
    await expect(deidentify(memorySource(dicom.join([bytes])), identifiers)).rejects.toMatchObject({ reason })
  })

  it('whatever bytes are changed in it: treated or refused, never anything else', async () => {
    const sound = dicom.file([
      ...dicom.picture(),
      dicom.make(0x00321064, 'SQ', [[dicom.make(0x00080100, 'SH', 'T-D1100')]], true),
    ])
    let refused = 0
    for (let round = 0; round < 400; round += 1) {
      const bytes = sound.slice()
      // A small generator of its own, so that a failure can be repeated.
      for (let change = 0; change < 3; change += 1) {
        const at = 128 + ((round * 7919 + change * 104_729) % (bytes.length - 128))
        bytes[at] = (round * 31 + change * 17) % 256
      }
      const outcome = await deidentify(memorySource(bytes), identifiers).catch((error: unknown) => error)
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(Refusal)
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(20)
  })

  it('a sequence that hides behind an unknown kind is treated like any other', async () => {
    const hidden = dicom.write([dicom.make(0x00100010, 'PN', 'SECRET^NAME')], implicit)
    const items = dicom.join([dicom.header(0xfffee000, '', hidden.length, implicit), hidden])
    const unknown = dicom.file([...dicom.picture(), dicom.make(0x00321064, 'UN', items)])
    const { parts } = await deidentify(memorySource(unknown), identifiers)
    const written = parts.map((part) => (part instanceof Uint8Array ? dicom.binary(part) : ''))
    expect(written.join('')).not.toContain('SECRET')
    expect(written.join('')).toContain('NEUROLOOM')
  })
})

it.each(refusalReasons)('the reason %s is told in words', (reason) => {
  expect(textsOf('en', 'deidentify')).toHaveProperty([`reason.${reason}`])
})

function nested(depth: number, isOpen: boolean): Uint8Array {
  const syntax = explicit
  if (isOpen) {
    const one = dicom.join([
      dicom.header(0x00089215, 'SQ', 0xffffffff, syntax),
      dicom.header(0xfffee000, '', 0xffffffff, syntax),
    ])
    return dicom.join([dicom.file([]), ...Array.from({ length: depth }, () => one)])
  }
  let element = dicom.make(0x00100010, 'PN', 'Doe')
  for (let level = 0; level < depth; level += 1) element = dicom.make(0x00089215, 'SQ', [[element]])
  return dicom.file([element])
}

const deflated = () => ({ ...explicit, uid: '1.2.840.10008.1.2.1.99' })

function directory(): Uint8Array {
  const bytes = dicom.file(dicom.picture())
  const from = dicom.binary(bytes).indexOf('1.2.840.10008.5.1.4.1.1.2')
  // As long as the one it replaces.
  bytes.set(dicom.ascii('1.2.840.10008.1.3.10\0\0\0\0\0'), from)
  return bytes
}
