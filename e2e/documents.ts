/** PDF documents as other programs write them, small: some pages of words and a dark block each, locked if wanted. */
import { createHash } from 'node:crypto'

type Document = { pages: number; password?: string }

export function makePdf({ pages, password }: Document): Buffer {
  const lock = password === undefined ? null : lockOf(password)
  const kids = Array.from({ length: pages }, (_, index) => `${4 + 2 * index} 0 R`)
  const objects: (string | Buffer)[] = [
    // A document that would run something as soon as it is opened.
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
    `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  for (let page = 1; page <= pages; page += 1) {
    const own = objects.length + 2
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${own} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
      streamOf(`0.1 g 60 560 300 160 re f BT /F 28 Tf 60 760 Td (Report, page ${page}) Tj ET`, own, lock),
    )
  }
  if (lock) objects.push(lock.dictionary)
  return assemble(objects, lock !== null)
}

function assemble(objects: readonly (string | Buffer)[], isLocked: boolean): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')]
  const places: number[] = []
  let length = parts[0]?.length ?? 0
  const add = (part: string | Buffer): void => {
    const bytes = Buffer.from(part)
    parts.push(bytes)
    length += bytes.length
  }
  for (const [index, object] of objects.entries()) {
    places.push(length)
    add(`${index + 1} 0 obj\n`)
    add(object)
    add('\nendobj\n')
  }
  const start = length
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`)
  const locked = isLocked ? ` /Encrypt ${objects.length} 0 R` : ''
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`)
  add(
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /ID [<${ID}> <${ID}>]${locked} >>\nstartxref\n${start}\n%%EOF\n`,
  )
  return Buffer.concat(parts)
}

const ID = '00112233445566778899aabbccddeeff'

type Lock = { key: Buffer; dictionary: string }

/** The oldest of PDF's locks: standard handler, revision 2, 40 bits. */
function lockOf(password: string): Lock {
  const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
  const owner = scramble(digest(padded).subarray(0, 5), padded)
  const rights = Buffer.alloc(4, 0xff)
  const key = digest(Buffer.concat([padded, owner, rights, Buffer.from(ID, 'hex')])).subarray(0, 5)
  const user = scramble(key, padding)
  return {
    key,
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P -1 >>`,
  }
}

function streamOf(text: string, number: number, lock: Lock | null): Buffer {
  const plain = Buffer.from(text)
  const bytes = lock ? scramble(keyOf(lock, number), plain) : plain
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** Every object has a key of its own. */
const keyOf = ({ key }: Lock, number: number): Buffer =>
  digest(Buffer.concat([key, Buffer.from([number & 255, number >> 8, 0, 0, 0])])).subarray(0, 10)

const digest = (bytes: Buffer): Buffer => createHash('md5').update(bytes).digest()

/** RC4, which current versions of OpenSSL no longer offer. */
function scramble(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (a: number, b: number): void => {
    ;[state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0]
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let [a, b] = [0, 0]
  return bytes.map((byte) => {
    a = (a + 1) & 255
    b = (b + (state[a] ?? 0)) & 255
    swap(a, b)
    return byte ^ (state[((state[a] ?? 0) + (state[b] ?? 0)) & 255] ?? 0)
  }) as Buffer
}
