import type { FileRecord, RecordAction } from '@neuroloom/contract/files'

/** Deeds of which one upload writes a record for each file. */
const foldable: ReadonlySet<RecordAction> = new Set(['upload', 'replace'])
/** Fewer are told one by one. */
const FEWEST = 4
/** An ISO date up to its minutes, as the list shows it. */
const MINUTE = 'YYYY-MM-DDTHH:mm'.length

/** Records that say the same of many files, one behind the other in the same minute, as one row; all others alone. Pure. */
export function foldedRecords(records: readonly FileRecord[]): FileRecord[][] {
  const runs: FileRecord[][] = []
  for (const record of records) {
    const run = runs.at(-1)
    if (run?.[0] && foldable.has(record.action) && keyOf(run[0]) === keyOf(record)) run.push(record)
    else runs.push([record])
  }
  return runs.flatMap((run) => (run.length < FEWEST ? run.map((one) => [one]) : [run]))
}

const keyOf = ({ action, actor, at, detail }: FileRecord): string =>
  JSON.stringify([action, actor, at.slice(0, MINUTE), detail])
