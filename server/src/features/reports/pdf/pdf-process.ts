import type { PdfTask } from './pdf.ts'
import { setReport } from './pdf-set.ts'

/** One report; then the parent ends this process. */
process.once('message', (task: PdfTask) => {
  setReport(task).then(
    (bytes) => process.send?.(bytes),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
