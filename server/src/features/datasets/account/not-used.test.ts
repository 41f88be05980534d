import type { FileFacts } from '@neuroloom/contract/engine'
import { expect, it } from 'vitest'
import { assemble } from '../recognise/assemble.ts'
import { recognise } from '../recognise/recognise.ts'
import { accountOfFailure, withAccount } from './not-used.ts'

const facts: FileFacts = {
  ...{ format: 'tiff', width: 9, height: 9, depth: null, spacing: null, orientation: null },
  ...{ channels: 1, bits: 8, mean: 0.5, std: 0.1, values: null },
}

it('every file and page is used, named or counted', async () => {
  const paths = [
    ...['oak/1.tif', 'oak/2.jpg', 'pine/1.jpg', 'pine/IMG_7.HEIC', 'pine/about.md', 'pine/notes.md'],
    ...['oak/Thumbs.db', '@eaDir/1.jpg', 'oak/film.mov', 'LICENSE', 'table.csv', 'scan.nii.gz'],
  ]
  const folder = { paths, emptyFolders: [], read: async () => null }
  const layout = await recognise(folder, 'classification')
  if (layout.layout === null) throw new Error(layout.failure)
  const look = {
    sha256: (path: string) => path,
    check: (path: string) => ({
      facts: path === 'oak/1.tif' ? { ...facts, pages: 30 } : facts,
      reason: null,
    }),
  }
  const checked = ['oak/1.tif', 'oak/2.jpg', 'pine/1.jpg']
  const found = withAccount(assemble(layout, look), { paths, checked, read: new Set(['table.csv']) }, look)
  expect(found.problems).toEqual([
    { path: 'oak/1.tif', reason: 'pages_not_used', params: { pages: 29 } },
    { path: 'pine/IMG_7.HEIC', reason: 'kind_not_read', params: { kind: 'HEIC' } },
    { path: 'oak/film.mov', reason: 'kind_not_read', params: { kind: 'MOV' } },
  ])
  expect(found.facts?.unused).toEqual([
    { kind: 'md', files: 2 },
    { kind: 'system', files: 2 },
    { kind: '?', files: 1 },
    { kind: 'nii.gz', files: 1 },
  ])
  const counted = found.facts?.unused?.reduce((sum, { files }) => sum + files, 0) ?? 0
  expect(checked.length + 1 + found.problems.length - 1 + counted).toBe(paths.length)
})

it('a folder of which nothing could be made is told by what it holds', () => {
  expect(accountOfFailure(['a/1.heic', 'a/2.heic', 'a/1.json'])).toEqual([
    { path: '.', reason: 'folder_holds', params: { kinds: '2 × heic, 1 × json' } },
    { path: 'a/1.heic', reason: 'kind_not_read', params: { kind: 'HEIC' } },
    { path: 'a/2.heic', reason: 'kind_not_read', params: { kind: 'HEIC' } },
  ])
  expect(accountOfFailure([])).toEqual([])
})
