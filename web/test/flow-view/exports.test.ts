import { expect, it } from 'vitest'
import { FilmFailure, filmRungs, makeFilm } from '../../src/features/flow/viewer/exports/film.ts'
import { withTexts } from '../../src/features/flow/viewer/exports/png-text.ts'

/** A black pixel. */
const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='),
  (letter) => letter.charCodeAt(0),
)

it('writes words into a PNG behind its head, in letters of every language', async () => {
  const bytes = new Uint8Array(
    await new Blob(withTexts(PNG, { Title: '主动脉', Comment: 'm/s' })).arrayBuffer(),
  )
  const view = new DataView(bytes.buffer)
  const chunks: { name: string; body: Uint8Array; sum: number }[] = []
  for (let at = 8; at < bytes.length; ) {
    const length = view.getUint32(at)
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    chunks.push({ name, body: bytes.subarray(at + 8, at + 8 + length), sum: view.getUint32(at + 8 + length) })
    at += 12 + length
  }
  expect(chunks.map(({ name }) => name)).toEqual(['IHDR', 'iTXt', 'iTXt', 'IDAT', 'IEND'])
  expect(new TextDecoder().decode(chunks[1]?.body)).toBe('Title\0\0\0\0\0主动脉')
  // As zlib reckons it.
  expect(chunks[2]?.sum).toBe(0x7101_589c)
})

const ask = {
  ...{ paints: [], imageClarity: 150, loops: 3, seconds: 0.1, container: null, title: '', comment: '' },
  ...{ options: '', onProgress: () => {} },
}

it('tries every codec in its order, and tells what each failed of', async () => {
  // This browser has no encoder.
  const failure = await makeFilm({ ...ask, signal: new AbortController().signal }).catch((error) => error)
  expect(failure).toBeInstanceOf(FilmFailure)
  expect(failure.causes).toEqual(filmRungs.map((rung) => ({ ...rung, message: null })))
})

it('tries no other kind of file than the one that was chosen', async () => {
  const only = { ...ask, container: 'webm' as const, signal: new AbortController().signal }
  const failure = await makeFilm(only).catch((error) => error)
  expect(failure.causes.map(({ codec }: { codec: string }) => codec)).toEqual(['vp9', 'vp8'])
})

it('ends where it is stopped', async () => {
  await expect(makeFilm({ ...ask, signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
})
