import { tarNames } from '@neuroloom/contract/names/tar-names'
import { describe, expect, it } from 'vitest'

const BLOCK = 512

/** A header and its data, with a right sum. */
function entry({ name, kind = '0', data = '', prefix = '' }: Record<string, string>): Buffer {
  const bytes = Buffer.from(data, 'latin1')
  const header = Buffer.alloc(BLOCK)
  header.write(name ?? '', 0, 'latin1')
  header.write(bytes.length.toString(8).padStart(11, '0'), 124)
  header.write(kind, 156)
  header.write('ustar', 257)
  header.write(prefix, 345, 'latin1')
  header.fill(' ', 148, 156)
  header.write(
    `${header
      .reduce((all, byte) => all + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return Buffer.concat([header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)])
}

const namesOf = (...parts: Buffer[]) => {
  const tar = Buffer.concat(parts)
  let reads = 0
  const read = async (start: number, length: number) => {
    reads += 1
    return tar.subarray(start, start + length)
  }
  return tarNames(read, tar.length).then((names) => ({
    names: names.map((name) => (typeof name === 'string' ? name : Buffer.from(name).toString('latin1'))),
    reads,
  }))
}

describe('names in a tar', () => {
  it('are those of its entries, however far apart and however long', async () => {
    const long = 'l'.repeat(300)
    const { names } = await namesOf(
      entry({ name: 'a.txt', data: 'x'.repeat(5000) }),
      entry({ name: 'b.txt', prefix: 'folder' }),
      entry({ name: '././@LongLink', kind: 'L', data: `${long}\0` }),
      entry({ name: 'lllll' }),
      entry({ name: 'PaxHeader', kind: 'x', data: '19 path=unicode.t\n' }),
      entry({ name: 'cut' }),
      entry({ name: 'PaxHeader', kind: 'x', data: '12 mtime=10\n' }),
      entry({ name: 'last' }),
      Buffer.alloc(2 * BLOCK),
    )
    expect(names).toEqual(['a.txt', 'folder/b.txt', long, '', 'last'])
  })

  it('are those before the damage, and none of what is no tar', async () => {
    expect((await namesOf(entry({ name: 'a' }), Buffer.alloc(4 * BLOCK, 7))).names).toEqual(['a'])
    expect((await namesOf(Buffer.alloc(4 * BLOCK, 'x'))).names).toEqual([])
    expect((await namesOf(Buffer.from('short'))).names).toEqual([])
    // It says to be longer than it is.
    const lying = entry({ name: 'n', kind: 'L', data: 'y'.repeat(600) }).subarray(0, BLOCK)
    expect((await namesOf(lying)).names).toEqual([])
  })

  it('are looked for in few places, whatever the archive holds', async () => {
    const { names, reads } = await namesOf(
      ...Array.from({ length: 5000 }, (_, at) => entry({ name: `${at}` })),
    )
    expect(names.length).toBeLessThanOrEqual(100)
    expect(reads).toBeLessThanOrEqual(200)
  })
})
