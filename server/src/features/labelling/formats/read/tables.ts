/** What the numbers and colours of masks are called, by a list beside them. */
import { labelExchange } from '@neuroloom/contract/limits'
import { baseOf } from '../../../datasets/service.ts'
import type { From } from './from.ts'

/** Names by number (`3`) and by colour (`#rrggbb`). */
export async function namesBeside({ paths, read }: From): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const lists = paths.filter((path) =>
    /^((label|class|colou?r)_?(colou?rs?|map|table|names?)?|labels|classes|class_?dict)\.(txt|csv)$/i.test(
      baseOf(path),
    ),
  )
  for (const path of lists.slice(0, labelExchange.lists)) {
    const text = (await read(path, labelExchange.textBytes)) ?? ''
    for (const line of text.split(/\r?\n/)) if (!line.startsWith('#')) note(names, line)
  }
  for (const path of paths.filter((one) => baseOf(one) === 'dataset.json').slice(0, 1))
    noteDataset(names, (await read(path, labelExchange.textBytes)) ?? '')
  return names
}

/** `lesion:255,0,0::` of CVAT, `3: lesion`, `lesion,3`, `lesion,255,0,0`, or a line of ITK-SNAP. */
function note(names: Map<string, string>, line: string): void {
  const put = (key: string, name: string | undefined): void => {
    const clean = name?.trim().replace(/^"|"$/g, '').normalize('NFC') ?? ''
    if (clean !== '' && names.size < labelExchange.classes) names.set(key, clean)
  }
  const snap = /^\s*(\d+)\s+\d+\s+\d+\s+\d+\s+[\d.]+\s+\d+\s+\d+\s+"(.*)"\s*$/.exec(line)
  if (snap) {
    put(snap[1] ?? '', snap[2])
    return
  }
  const colour = /^(.+?)[:,;\t]\s*(\d{1,3})[,;\t ]\s*(\d{1,3})[,;\t ]\s*(\d{1,3})\s*(?:[:,;].*)?$/.exec(line)
  const parts = colour?.slice(2, 5).map(Number) ?? []
  if (colour && parts.every((part) => part < 256)) {
    put(`#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`, colour[1])
    return
  }
  const first = /^\s*(\d{1,5})\s*[:=,;\t]\s*(.+)$/.exec(line)
  if (first) {
    put(first[1] ?? '', first[2])
    return
  }
  const last = /^(.+?)\s*[:=,;\t]\s*(\d{1,5})\s*$/.exec(line)
  if (last) put(last[2] ?? '', last[1])
}

/** nnU-Net and the Medical Segmentation Decathlon: names to numbers, or numbers to names. */
function noteDataset(names: Map<string, string>, text: string): void {
  let labels: unknown
  try {
    labels = (JSON.parse(text) as { labels?: unknown }).labels
  } catch {
    return
  }
  if (typeof labels !== 'object' || labels === null) return
  for (const [one, other] of Object.entries(labels)) {
    const [key, name] = /^\d+$/.test(one) ? [one, other] : [other, one]
    if (/^\d+$/.test(String(key)) && typeof name === 'string') names.set(String(key), name.normalize('NFC'))
  }
}
