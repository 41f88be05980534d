import { useState } from 'react'
import { findPickProblem, groupPicked, type Picked, type PickProblem } from './picked-files.ts'
import type { UploadTarget } from './upload-store.ts'
import { uploads } from './uploads.ts'

/** Hands a choice of files to the upload engine, or says what is wrong with it before anything is sent. */
export function useOffer(target: UploadTarget) {
  const [problem, setProblem] = useState<PickProblem | null>(null)
  const offer = (picked: Picked[]) => {
    const found = findPickProblem(picked)
    if (found) setProblem(found)
    else uploads.add(groupPicked(picked), target)
  }
  return { offer, problem, close: () => setProblem(null) }
}
