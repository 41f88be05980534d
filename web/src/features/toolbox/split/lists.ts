import type { SplitPart } from '@neuroloom/contract/toolbox/calls'

/** As ImageSets of Pascal VOC and many collections after it: `splits/train.txt`, one picture a line. */
export const folderName = 'splits'
const fileNames = { train: 'train.txt', validation: 'val.txt', test: 'test.txt' } as const

/** One file a part that has pictures. */
export function listsOf(parts: readonly SplitPart[]): { path: string; file: File }[] {
  return parts
    .filter(({ names }) => names.length > 0)
    .map(({ part, names }) => {
      const name = fileNames[part]
      return {
        path: `${folderName}/${name}`,
        file: new File([`${names.join('\n')}\n`], name, { type: 'text/plain' }),
      }
    })
}

/** The same as one table, for other programs. */
export function csvOf(parts: readonly SplitPart[]): string {
  const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = parts.flatMap(({ part, names }) => names.map((name) => `${cell(name)},${part}`))
  return `${['image,split', ...lines].join('\r\n')}\r\n`
}
