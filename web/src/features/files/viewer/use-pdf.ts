import { pdfData } from 'virtual:pdf-data'
import { images } from '@neuroloom/contract/limits'
import {
  GlobalWorkerOptions,
  getDocument,
  PasswordResponses,
  ResponseException,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerAddress from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker&url'
import { useEffect, useState } from 'react'

GlobalWorkerOptions.workerSrc = workerAddress

export type Pdf = Awaited<ReturnType<typeof getDocument>['promise']>
export type PdfState =
  | { is: 'loading' }
  | { is: 'locked'; wasWrong: boolean; unlock: (password: string) => void }
  | { is: 'failed'; why: 'damaged' | 'unreachable' }
  /** `size`: of the first page, which the others are taken to have until they are drawn. */
  | { is: 'open'; pdf: Pdf; size: { width: number; height: number } }

/**
 * Opens a document in a worker of its own. Whoever wrote it gets nothing done: no programs, no forms of its own kind, no
 * addresses besides the one given here.
 */
export function usePdf(url: string): PdfState {
  const [state, setState] = useState<PdfState>({ is: 'loading' })
  useEffect(() => {
    const task = getDocument({
      url,
      cMapUrl: `${pdfData}cmaps/`,
      standardFontDataUrl: `${pdfData}standard_fonts/`,
      wasmUrl: `${pdfData}wasm/`,
      iccUrl: `${pdfData}iccs/`,
      enableXfa: false,
      maxImageSize: images.maxPixels,
      verbosity: 0,
    })
    task.onPassword = (unlock: (password: string) => void, reason: number) =>
      setState({ is: 'locked', wasWrong: reason === PasswordResponses.INCORRECT_PASSWORD, unlock })
    task.promise
      .then(async (pdf) => {
        const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
        if (!task.destroyed) setState({ is: 'open', pdf, size: { width, height } })
      })
      .catch((error: unknown) => {
        const why = error instanceof ResponseException ? 'unreachable' : 'damaged'
        if (!task.destroyed) setState({ is: 'failed', why })
      })
    return () => void task.destroy()
  }, [url])
  return state
}
