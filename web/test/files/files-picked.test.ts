import { files as limits } from '@neuroloom/contract/limits'
import { describe, expect, it } from 'vitest'
import {
  findPickProblem,
  groupPicked,
  pickedFromDrop,
  pickedFromInput,
  withoutClutter,
} from '../../src/features/files/upload/picked-files.ts'

describe('a choice of files', () => {
  it('keeps paths of a folder and leaves out what systems put there', () => {
    const all = pickedFromInput([
      makeFile('a.png', 'scans/a.png'),
      makeFile('影像 1.png', 'scans/子 文件夹/影像 1.png'),
      makeFile('.DS_Store', 'scans/.DS_Store'),
      makeFile('._a.png', '__MACOSX/scans/._a.png'),
      makeFile('Thumbs.db', 'scans/Thumbs.db'),
    ])
    const picked = withoutClutter(all)
    expect(picked.map(({ path }) => path)).toEqual(['scans/a.png', 'scans/子 文件夹/影像 1.png'])
    expect(groupPicked(picked)).toMatchObject([{ name: 'scans', isFolder: true }])
  })

  it('makes one upload for each folder and one for all loose files', () => {
    const picked = pickedFromInput([
      makeFile('1.png'),
      makeFile('a.png', 'one/a.png'),
      makeFile('b.png', 'two/b.png'),
      makeFile('2.png'),
    ])
    const groups = groupPicked(picked).map(({ name, isFolder, files }) => [name, isFolder, files.length])
    expect(groups).toEqual([
      ['1.png', false, 2],
      ['one', true, 1],
      ['two', true, 1],
    ])
  })

  it.each([
    ['nothing at all', 0, 0, 'nothing'],
    ['as many loose files as allowed', limits.looseFiles, 0, null],
    ['one loose file too many', limits.looseFiles + 1, 0, 'tooManyLoose'],
    ['as many files in a folder as allowed', 0, limits.filesPerFolderUpload, null],
    ['one file in a folder too many', 0, limits.filesPerFolderUpload + 1, 'tooManyInFolder'],
  ])('with %s', (_, loose, inFolder, problem) => {
    const file = makeFile('a.png')
    const picked = [
      ...Array.from({ length: loose }, (_, index) => ({ path: `${index}.png`, file })),
      ...Array.from({ length: inFolder }, (_, index) => ({ path: `scans/${index}.png`, file })),
    ]
    expect(findPickProblem(picked)?.name ?? null).toBe(problem)
  })
})

describe('a drop', () => {
  it('reads folders to the bottom, although a reader hands over only some entries at a time', async () => {
    const many = Array.from({ length: 230 }, (_, index) => makeEntry(`/scans/deep/${index}.png`))
    const deep = makeFolderEntry('/scans/deep', many)
    const transfer = makeTransfer([
      makeFolderEntry('/scans', [makeEntry('/scans/a.png'), deep]),
      makeEntry('/b.png'),
    ])
    const picked = await pickedFromDrop(transfer)
    expect(picked).toHaveLength(232)
    expect(picked.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['scans/a.png', 'scans/deep/229.png', 'b.png']),
    )
  })

  it('takes plain files where a browser knows no entries', async () => {
    const files = [makeFile('a.png')]
    const items = [{ webkitGetAsEntry: () => null }]
    // Only what the product reads of a transfer.
    const picked = await pickedFromDrop({ items, files } as unknown as DataTransfer)
    expect(picked.map(({ path }) => path)).toEqual(['a.png'])
  })
})

function makeFile(name: string, path = ''): File {
  const file = new File(['x'], name)
  Object.defineProperty(file, 'webkitRelativePath', { value: path })
  return file
}

function makeEntry(fullPath: string) {
  const name = fullPath.slice(fullPath.lastIndexOf('/') + 1)
  return {
    isFile: true,
    isDirectory: false,
    fullPath,
    file: (done: (file: File) => void) => done(new File(['x'], name)),
  }
}

function makeFolderEntry(fullPath: string, children: object[]) {
  const createReader = () => {
    let position = 0
    return {
      readEntries: (done: (entries: object[]) => void) => {
        done(children.slice(position, position + 100))
        position += 100
      },
    }
  }
  return { isFile: false, isDirectory: true, fullPath, createReader }
}

function makeTransfer(entries: object[]): DataTransfer {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }))
  // Only what the product reads of a transfer.
  return { items, files: [] } as unknown as DataTransfer
}
