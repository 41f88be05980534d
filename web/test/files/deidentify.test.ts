import { deidentificationRecordSchema } from '@neuroloom/contract/deidentification'
import { ruleOf, tableRows } from '@neuroloom/contract/privacy/confidentiality-profile'
import { describe, expect, it } from 'vitest'
import { type Deidentified, deidentify } from '../../src/features/files/deidentify/deidentify.ts'
import { memorySource, partsSource } from '../../src/features/files/deidentify/source.ts'
import { identifiersFor } from '../../src/features/files/deidentify/uids.ts'
import * as dicom from './deidentify-make.ts'

const identifiers = identifiersFor(new Uint8Array(32).fill(7))

describe('the table of the standard', () => {
  it('has every row: 652 attributes with their actions', () => {
    const counts = new Map<string, number>()
    for (const [, { action }] of tableRows()) counts.set(action, (counts.get(action) ?? 0) + 1)
    expect(Object.fromEntries(counts)).toEqual({
      ...{ X: 412, D: 93, U: 55, Z: 42, 'X/D': 23, 'X/Z': 11, 'X/Z/D': 8, 'Z/D': 6, 'X/Z/U*': 2 },
    })
  })

  it.each([
    [0x00100010, 'Z'],
    [0x00100020, 'Z/D'],
    [0x00080018, 'U'],
    [0x00080020, 'Z'],
    [0x0040a730, 'D'],
    [0x00081140, 'X/Z/U*'],
    [0xfffafffa, 'X'],
    [0x50123000, 'X'],
    [0x60003000, 'X'],
    [0x60224000, 'X'],
  ])('treats %i by %s', (tag, action) => {
    expect(ruleOf(tag)?.action).toBe(action)
  })

  it('leaves what is needed to see the picture', () => {
    for (const tag of [0x00080005, 0x00080016, 0x00080060, 0x00180050, 0x00280010, 0x00281050, 0x7fe00010])
      expect(ruleOf(tag)).toBeNull()
  })
})

describe.each([
  ['implicit', dicom.syntaxes.implicit],
  ['explicit', dicom.syntaxes.explicit],
  ['big endian', dicom.syntaxes.big],
])('a file with every attribute of the table, %s', (_, syntax) => {
  const everything = everyAttribute(syntax)
  const old = dicom.file(everything, syntax, dicom.ascii('SECRET'.repeat(30)).slice(0, 128))

  it('keeps not one of the words that stood in it', async () => {
    const { bytes } = await treated(old)
    expect(dicom.binary(old)).toContain('SECRET')
    expect(/SECRET|6\.6\.6|19660606|060606/i.exec(dicom.binary(bytes))).toBeNull()
  })

  it('does to each attribute what the profile says', async () => {
    const { bytes } = await treated(old)
    const { data } = dicom.readFile(bytes, syntax)
    const found = new Map(data.map((element) => [element.tag, element]))
    const wrong = tableRows().filter(([tag, rule]) => {
      if (tag >>> 16 === 2) return false
      const length = found.get(tag)?.bytes.length
      switch (rule.action) {
        case 'X':
          return length !== undefined
        case 'Z':
        case 'X/Z':
          return length !== 0
        default:
          return !length
      }
    })
    expect(wrong.map(([tag, { name }]) => `${tag.toString(16)} ${name}`)).toEqual([])
  })

  it('treats sequences that are nested three deep, with or without lengths', async () => {
    const { bytes } = await treated(old)
    const { data } = dicom.readFile(bytes, syntax)
    for (const outer of [0x00089215, 0x00321064]) {
      const first = data.find(({ tag }) => tag === outer)?.items?.[0]
      const second = first?.find(({ tag }) => tag === 0x00089215)?.items?.[0]
      const third = second?.find(({ tag }) => tag === 0x00089215)?.items?.[0]
      expect(third?.find(({ tag }) => tag === 0x00100010)?.bytes).toHaveLength(0)
      expect(third?.find(({ tag }) => tag === 0x00081030)).toBeUndefined()
      expect(text(third?.find(({ tag }) => tag === 0x00081155)?.bytes)).toBe(identifiers.uid('6.6.6.1155'))
      expect(text(third?.find(({ tag }) => tag === 0x00080100)?.bytes)).toBe('T-D1100')
    }
  })

  it('says of itself what was done', async () => {
    const { bytes } = await treated(old)
    const { head, data } = dicom.readFile(bytes, syntax)
    const valueAt = (list: dicom.Read[] | undefined, tag: number) =>
      text(list?.find((one) => one.tag === tag)?.bytes)
    expect(valueAt(data, 0x00120062)).toBe('YES')
    expect(valueAt(data, 0x00120063)).toContain('PS3.15')
    expect(valueAt(data, 0x00280303)).toBe('REMOVED')
    const code = data.find(({ tag }) => tag === 0x00120064)?.items?.[0]
    expect(valueAt(code, 0x00080100)).toBe('113100')
    expect(valueAt(code, 0x00080102)).toBe('DCM')
    expect(valueAt(head, 0x00020003)).toBe(valueAt(data, 0x00080018))
    expect(head.map(({ tag }) => tag & 0xff)).toEqual([0x00, 0x01, 0x02, 0x03, 0x10, 0x12, 0x13])
    expect(bytes.subarray(0, 128).every((byte) => byte === 0)).toBe(true)
    expect(data.map(({ tag }) => tag)).toEqual(data.map(({ tag }) => tag).sort((a, b) => a - b))
  })

  it('is not changed by a second time', async () => {
    const once = await treated(old)
    const twice = await treated(once.bytes)
    expect(twice.bytes).toEqual(once.bytes)
    expect(twice.record.counts).toEqual({
      ...{ removed: 0, emptied: 0, replaced: 0, newUids: 0, privateRemoved: 0, cleared: 0 },
    })
  })

  it('has a record that names what was done and none of the words', async () => {
    const { record, bytes } = await treated(old)
    expect(deidentificationRecordSchema.parse(record)).toEqual(record)
    expect(JSON.stringify(record)).not.toMatch(/SECRET|6\.6\.6/)
    expect(record.pixels?.after).toBe(record.pixels?.before)
    expect(record.sha256).toBe(await sum(bytes))
    expect(record.counts.privateRemoved).toBe(5)
    expect(record.attributes.find(({ tag }) => tag === '00100010')).toEqual({
      ...{ tag: '00100010', name: "Patient's Name", action: 'emptied', count: 5 },
    })
  })
})

describe('identifiers', () => {
  it('are the same in every file of a member, and others for another member', async () => {
    const [one, two] = [await treated(dicom.file(dicom.picture())), await treated(dicom.file(otherSlice()))]
    expect(two.record.identifiers.study).toBe(one.record.identifiers.study)
    expect(two.record.identifiers.series).toBe(one.record.identifiers.series)
    expect(two.record.identifiers.patient).toBe(one.record.identifiers.patient)
    expect(two.record.identifiers.instance).not.toBe(one.record.identifiers.instance)
    const stranger = identifiersFor(new Uint8Array(32).fill(8))
    expect(stranger.uid('1.2.3.13')).not.toBe(one.record.identifiers.study)
  })

  it('are UIDs of the form 2.25 of at most 64 letters; those of the standard stay', () => {
    for (let index = 0; index < 200; index += 1) {
      expect(identifiers.uid(`1.2.3.${index}`)).toMatch(/^2\.25\.[1-9]\d{20,38}$/)
    }
    expect(identifiers.uid('1.2.840.10008.1.4.1.1')).toBe('1.2.840.10008.1.4.1.1')
    const made = identifiers.uid('1.2.3')
    expect(identifiers.uid(made)).toBe(made)
    expect(identifiers.uid('2.25.1234567890')).not.toBe('2.25.1234567890')
  })

  it('replace each of several UIDs in one value', async () => {
    const { bytes } = await treated(
      dicom.file([...dicom.picture(), dicom.make(0x00080058, 'UI', '1.2.3.13\\1.2.3.99')]),
    )
    const { data } = dicom.readFile(bytes, dicom.syntaxes.explicit)
    expect(text(data.find(({ tag }) => tag === 0x00080058)?.bytes)).toBe(
      `${identifiers.uid('1.2.3.13')}\\${identifiers.uid('1.2.3.99')}`,
    )
  })
})

describe('texts that the profile keeps', () => {
  it('are emptied where they name the patient or a physician', async () => {
    const { bytes, record } = await treated(
      dicom.file([
        ...dicom.picture(),
        dicom.make(0x00080090, 'PN', 'House^Gregory'),
        dicom.make(0x00180024, 'SH', 'jane doe t1'),
        dicom.make(0x00181020, 'LO', 'VB17'),
        dicom.make(0x00189004, 'CS', 'PRODUCT'),
        dicom.make(0x00400261, 'LO', 'seen by HOUSE'),
      ]),
    )
    expect(dicom.binary(bytes)).not.toMatch(/doe|house|4711/i)
    expect(dicom.binary(bytes)).toContain('VB17')
    expect(record.counts.cleared).toBe(2)
  })
})

describe('letters in the picture', () => {
  const withFacts = (modality: string, more: dicom.Element[] = []) =>
    dicom.file([
      ...dicom.picture().filter(({ tag }) => tag !== 0x00080060),
      dicom.make(0x00080060, 'CS', modality),
      ...more,
    ])

  it.each([
    ['US', [], 'possible'],
    ['ES', [], 'possible'],
    ['CT', [], 'unlikely'],
    ['CT', [dicom.make(0x00280301, 'CS', 'YES')], 'yes'],
    ['US', [dicom.make(0x00280301, 'CS', 'NO')], 'no'],
    ['CT', [dicom.make(0x00080064, 'CS', 'WSD')], 'possible'],
    ['MR', [dicom.make(0x60000102, 'US', Uint8Array.of(12, 0))], 'possible'],
  ] as const)('of %s with %j are said to be %s', async (modality, more, said) => {
    const { record } = await treated(withFacts(modality, [...more]))
    expect(record.burnedInText).toBe(said)
  })
})

describe('the way it is written', () => {
  it('keeps the pixels of a compressed picture byte for byte', async () => {
    const fragments = dicom.join([
      dicom.header(0x7fe00010, 'OB', 0xffffffff, dicom.syntaxes.explicit),
      dicom.header(0xfffee000, '', 0, dicom.syntaxes.explicit),
      dicom.header(0xfffee000, '', 64, dicom.syntaxes.explicit),
      dicom.pixels,
      dicom.header(0xfffee0dd, '', 0, dicom.syntaxes.explicit),
    ])
    const old = dicom.join([dicom.file(dicom.picture().filter(({ tag }) => tag !== 0x7fe00010)), fragments])
    const { bytes, record } = await treated(old)
    expect(dicom.binary(bytes)).toContain(dicom.binary(fragments))
    expect(record.pixels).not.toBeNull()
  })

  it('copies large pixels as a stretch of the old file instead of taking them into memory', async () => {
    const large = new Uint8Array(3_000_000).fill(5)
    const elements = dicom.picture().map((one) => (one.tag === 0x7fe00010 ? { ...one, value: large } : one))
    const { parts } = await deidentify(memorySource(dicom.file(elements)), identifiers)
    const held = parts.filter((part) => part instanceof Uint8Array)
    const copied = parts.flatMap((part) => (part instanceof Uint8Array ? [] : [part.end - part.start]))
    expect(copied).toEqual([large.length + 12])
    expect(held.reduce((total, part) => total + part.length, 0)).toBeLessThan(5000)
  })

  it('takes files without preamble and without head as they are', async () => {
    for (const syntax of Object.values(dicom.syntaxes)) {
      const { bytes } = await treated(dicom.write(dicom.picture(), syntax))
      const data = dicom.read(bytes, syntax)
      expect(data.find(({ tag }) => tag === 0x00100010)?.bytes).toHaveLength(0)
      expect(data.find(({ tag }) => tag === 0x7fe00010)?.bytes).toEqual(dicom.pixels)
    }
    const headed = dicom.file(dicom.picture()).slice(132)
    expect(dicom.binary((await treated(headed)).bytes)).not.toContain('Doe')
  })

  it('reads what is there where the head names another encoding', async () => {
    const lying = { ...dicom.syntaxes.implicit, uid: dicom.syntaxes.explicit.uid }
    const { bytes } = await treated(dicom.file(dicom.picture(), lying))
    expect(dicom.binary(bytes)).not.toMatch(/doe|4711/i)
  })

  it('unpacks and packs a deflated data set', async () => {
    const packed = await pipe(
      dicom.write(dicom.picture(), dicom.syntaxes.explicit),
      new CompressionStream('deflate-raw'),
    )
    const deflated = { ...dicom.syntaxes.explicit, uid: '1.2.840.10008.1.2.1.99' }
    const head = dicom.file([], deflated)
    const { bytes } = await treated(dicom.join([head, packed]))
    const view = new DataView(bytes.buffer)
    const unpacked = await inflateEven(bytes.slice(144 + view.getUint32(140, true)))
    expect(dicom.binary(unpacked)).toContain(dicom.binary(dicom.pixels))
    expect(dicom.binary(unpacked)).not.toMatch(/doe|4711/i)
  })
})

/** One element for each row, all with words that must not be found again; nested and private ones besides. */
function everyAttribute(syntax: dicom.Syntax): dicom.Element[] {
  const rows = tableRows().filter(([tag]) => tag >>> 16 !== 2)
  const plain = rows.map(([tag, { vr }]) => dicom.make(tag, vr, secretOf(vr, tag, syntax)))
  const deep = [
    dicom.make(0x00080100, 'SH', 'T-D1100'),
    dicom.make(0x00100010, 'PN', 'SECRET^NESTED'),
    dicom.make(0x00081030, 'LO', 'SECRET study'),
    dicom.make(0x00081155, 'UI', '6.6.6.1155'),
    dicom.make(0x00111010, 'LO', 'SECRET private'),
  ]
  const nested = (isOpen: boolean) => [
    [dicom.make(0x00089215, 'SQ', [[dicom.make(0x00089215, 'SQ', [deep], isOpen)]], isOpen)],
  ]
  return [
    ...plain,
    dicom.make(0x00080060, 'CS', 'CT'),
    dicom.make(0x00089215, 'SQ', nested(false)),
    dicom.make(0x00321064, 'SQ', nested(true), true),
    dicom.make(0x00090010, 'LO', 'SECRET maker'),
    dicom.make(0x00091001, 'SQ', [[dicom.make(0x00100010, 'PN', 'SECRET^PRIVATE')]], true),
    dicom.make(0x00291010, 'OB', dicom.ascii('SECRET CSA')),
    dicom.make(0x50003000, 'OW', dicom.ascii('SECRET curve')),
    dicom.make(0x60003000, 'OW', dicom.ascii('SECRET overlay')),
    dicom.make(0x60024000, 'LT', 'SECRET overlay comment'),
    dicom.make(0x00280010, 'US', dicom.number(8, 2, syntax)),
    dicom.make(0x7fe00010, 'OW', dicom.pixels),
  ]
}

function secretOf(vr: string, tag: number, syntax: dicom.Syntax): dicom.Value {
  switch (vr) {
    case 'SQ':
      return [[dicom.make(0x00100010, 'PN', 'SECRET^ITEM'), dicom.make(0x0040a160, 'UT', 'SECRET text')]]
    case 'UI':
      return `6.6.6.${tag}`
    case 'DA':
      return '19660606'
    case 'TM':
      return '060606'
    case 'DT':
      return '19660606060606'
    case 'DS':
    case 'IS':
      return '666'
    case 'US':
      return dicom.number(666, 2, syntax)
    case 'AS':
      return '066Y'
    case 'OB':
    case 'OW':
    case 'UN':
      return dicom.ascii('SECRET bytes')
    default:
      return `SECRET${tag}`
  }
}

const otherSlice = () =>
  dicom.picture().map((one) => (one.tag === 0x00080018 ? { ...one, value: '1.2.3.19' } : one))

async function treated(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Deidentified & { bytes: Uint8Array<ArrayBuffer> }> {
  const source = memorySource(bytes)
  const done = await deidentify(source, identifiers)
  const output = partsSource(source, done.parts)
  return { ...done, bytes: output.read(0, output.length) }
}

const text = (bytes: Uint8Array | undefined) => bytes && dicom.binary(bytes).replace(/[\0 ]+$/, '')

async function sum(bytes: Uint8Array<ArrayBuffer>) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const pipe = async (bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())

/** With or without the byte that makes the length even. */
const inflateEven = (bytes: Uint8Array<ArrayBuffer>) =>
  pipe(bytes, new DecompressionStream('deflate-raw')).catch(() =>
    pipe(bytes.slice(0, -1), new DecompressionStream('deflate-raw')),
  )
