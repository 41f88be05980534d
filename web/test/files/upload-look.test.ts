import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { lookAt } from '../../src/features/files/upload/upload-look.ts'

/** One empty file with a name in an old alphabet, as old programs on Chinese systems wrote it. */
function tarOf(name: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 'hex')
  header.write('00000000000', 124)
  header.write('0', 156)
  header.write('ustar', 257)
  header.fill(' ', 148, 156)
  header.write(
    `${header
      .reduce((all, byte) => all + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return Buffer.concat([header, Buffer.alloc(1024)])
}

const picked = (path: string, bytes: Buffer) => ({ path, file: new File([new Uint8Array(bytes)], path) })

describe('archives that are chosen', () => {
  it('tell how their names could be read, packed ones too', async () => {
    // 胸部影像.png in GBK
    const archive = tarOf('d0d8b2bfd3b0cff12e706e67')
    const { archives, names } = await lookAt([
      picked('a.tar', archive),
      picked('b.tar.gz', gzipSync(archive)),
      picked('c.tgz', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3])),
      picked('d.tar', tarOf('612e706e67')),
    ])
    expect(archives.sort()).toEqual(['a.tar', 'b.tar.gz', 'c.tgz', 'd.tar'])
    expect([...names.keys()].sort()).toEqual(['a.tar', 'b.tar.gz'])
    for (const { guess, readings } of names.values()) {
      expect(guess).toBe('gb18030')
      expect(readings[0]?.names).toEqual(['胸部影像.png'])
    }
  })
})
